package diff

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/schemas"
)

// schemas compares the schemas by structure and by evidence.
func (r comparison) schemas() error {
	changed, err := changedFiles(r.before, r.after, "schemas")
	if err != nil || len(changed) == 0 {
		return err
	}
	if !r.before.there || !r.after.there {
		for _, name := range changed {
			r.add("", Change{Class: Additive, Part: PartDocument, What: "schemas", Documents: []string{name}})
		}
		return nil
	}
	e := &evidence{known: map[judged]verdicts{}, musts: map[judged][]string{}}
	if e.old, err = r.before.schemas(); err != nil {
		return err
	}
	if e.now, err = r.after.schemas(); err != nil {
		return err
	}
	shown, err := e.recorded(r.before, r.after)
	if err != nil {
		return err
	}
	touched := map[string]bool{}
	explained := map[string]bool{} // requirements whose edits are known
	for _, name := range bothNames(e) {
		if err := r.document(e, name, shown[name], touched, explained); err != nil {
			return err
		}
	}
	r.unexplained(e, shown, explained)
	for _, name := range changed {
		if !touched[strings.TrimPrefix(name, "schemas/")] {
			r.add(cmp.Or(r.after.rootRequirement(name), r.before.rootRequirement(name)), Change{
				Class: Editorial, Part: PartSchema, Structure: Editorial, Evidence: Editorial,
				What: "descriptions, examples, or the same said otherwise", Documents: []string{name},
			})
		}
	}
	r.Judged = e.judged
	return nil
}

func bothNames(e *evidence) []string {
	names := slices.Concat(e.old.Names(), e.now.Names())
	slices.Sort(names)
	return slices.Compact(names)
}

// direction returns who writes a document, from a version that knows it.
func (r comparison) direction(name string) direction {
	set := r.after.set
	if !slices.Contains(set.Names(), name) {
		set = r.before.set
	}
	switch set.Sender(name) {
	case schemas.SentByClient:
		return toServers
	case schemas.SentByReader:
		return reported
	}
	return toReaders
}

// document compares the schemas of both versions for one document.
func (r comparison) document(e *evidence, name string, frames []any, touched, explained map[string]bool) error {
	file := path.Join("schemas", r.Pack, name+".json")
	had, has := slices.Contains(e.old.Names(), name), slices.Contains(e.now.Names(), name)
	d := r.direction(name)
	if !had || !has {
		touched[strings.TrimPrefix(file, "schemas/")] = true
		r.renamed(e, name, file, had, d)
		return nil
	}
	before, err := r.before.keywords.statements(r.Pack, name)
	if err != nil {
		return fmt.Errorf("reading %s: %w", r.Old.Name, err)
	}
	after, err := r.after.keywords.statements(r.Pack, name)
	if err != nil {
		return fmt.Errorf("reading %s: %w", r.New.Name, err)
	}
	r.moved(before, after, name)
	all := edits(before, after)
	if len(all) == 0 {
		return nil
	}
	bases := slices.Concat(examples(e.old, name), examples(e.now, name), frames)
	for _, ed := range all {
		touched[ed.file] = true
		if within(ed, all) {
			continue
		}
		structure := ed.kind.class(d)
		shown, instance := e.settle(ed, d, bases, invalid(e, ed))
		c := Change{Part: PartSchema, What: ed.what, Documents: []string{name}, Structure: structure, Evidence: shown}
		c.Class, c.Why = decide(ed.kind, structure, shown)
		if instance != nil && c.Disagrees() {
			c.Instance = shortened(instance)
		}
		if shown.rank() > Editorial.rank() || structure.Breaking() {
			explained[ed.requirement] = true
		}
		r.add(ed.requirement, c)
	}
	return nil
}

// within reports whether an edit is inside a member that is new or gone: that is one change.
func within(ed edit, all []edit) bool {
	return slices.ContainsFunc(all, func(o edit) bool {
		if o.kind != defined && o.kind != removed || o.condition != ed.condition && o.condition != "" {
			return false
		}
		name, _ := o.either().(string)
		at := o.path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
		if ed.path == at || strings.HasPrefix(ed.path, at+"/") {
			return true
		}
		return o.kind == removed && ed.keyword == "required" && ed.now == nil && ed.path == o.path && ed.old == o.old
	})
}

// renamed validates the examples of a document that only one version has by the other version.
func (r comparison) renamed(e *evidence, name, file string, had bool, d direction) {
	var o outcome
	if as := message(name); as != name { // nothing identifies the type of other documents
		for _, base := range slices.Concat(examples(e.old, name), examples(e.now, name)) {
			e.inspect(&o, as, d, base)
		}
	}
	shown, instance := o.settled(o.documents > 0)
	if shown == Editorial && !had {
		shown = Additive // nothing that was right is wrong by it
	}
	k, class, what := defined, Additive, "`"+name+"` is a new document"
	if had {
		k, class, what = removed, BreaksReaders, "`"+name+"` is no document any more"
	}
	c := Change{Part: PartSchema, What: what, Documents: []string{file}, Structure: class, Evidence: shown}
	c.Class, c.Why = decide(k, class, shown)
	if instance != nil && c.Disagrees() {
		c.Instance = shortened(instance)
	}
	r.add(cmp.Or(r.after.rootRequirement(file), r.before.rootRequirement(file)), c)
}

// moved returns which statements are another requirement's now.
func (r comparison) moved(before, after []statement, name string) {
	old := map[string]string{}
	for _, s := range before {
		old[s.key()+"\x00"+text(s.value)] = s.requirement
	}
	for _, s := range after {
		if was, known := old[s.key()+"\x00"+text(s.value)]; known && was != s.requirement {
			r.add(s.requirement, Change{
				Class: Editorial, Part: PartSchema, Structure: Editorial, Evidence: Editorial,
				What: "holds what " + was + " held", Documents: []string{name},
			})
		}
	}
}

// unexplained searches for documents on which the versions disagree although no changed keyword explains it.
func (r comparison) unexplained(e *evidence, frames map[string][]any, explained map[string]bool) {
	for _, name := range bothNames(e) {
		if !slices.Contains(e.old.Names(), name) || !slices.Contains(e.now.Names(), name) {
			continue // it was reported as new or gone
		}
		for _, doc := range slices.Concat(examples(e.old, name), examples(e.now, name), frames[name]) {
			var o outcome
			e.inspect(&o, message(name), r.direction(name), doc)
			if o.worst.rank() <= Editorial.rank() || slices.ContainsFunc(o.blamed, func(id string) bool { return explained[id] }) {
				continue
			}
			for _, id := range o.blamed {
				r.add(id, Change{
					Class: o.worst, Part: PartSchema, What: "documents that were right are wrong, or the other way round", Documents: []string{name},
					Structure: None, Evidence: o.worst, Why: "a document shows it, and no keyword that changed", Instance: shortened(o.example),
				})
			}
		}
	}
}

// rootRequirement returns the id that a schema file names for itself, "" if it names none or can't be read.
func (v *Version) rootRequirement(file string) string {
	object, err := v.keywords.file(strings.TrimPrefix(file, "schemas/"))
	if err != nil {
		return ""
	}
	comment, _ := object["$comment"].(string)
	id, ok := strings.CutPrefix(comment, "requirement ")
	if !ok {
		return ""
	}
	return id
}

// message returns the name by which a self-describing document is judged as a frame or a chunk.
func message(name string) string {
	if kind, ok := strings.CutPrefix(name, "frames/"); ok {
		return asEvent + kind
	}
	if strings.HasPrefix(name, "chunks/") {
		return asChunk
	}
	return name
}

// invalid returns the documents that a schema shows as breaking the requirement of an edit.
func invalid(e *evidence, ed edit) []any {
	var out []any
	for _, set := range []*schemas.Set{e.old, e.now} {
		for _, x := range set.Invalid(ed.document) {
			if x.Requirement == ed.requirement {
				if v := decode(x.Value); v != nil {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

func examples(set *schemas.Set, name string) []any {
	var out []any
	for _, x := range set.Examples(name) {
		out = append(out, decode(x.Value))
	}
	return out
}

// recorded returns the frames and bodies in the goldens of the versions by the name of their document, each text once; a
// chunk in a frame is also one.
func (e *evidence) recorded(versions ...*Version) (map[string][]any, error) {
	out := map[string][]any{}
	seen := map[string]bool{}
	keep := func(folder, kind string, v any) {
		name := folder + kind
		if key := name + text(v); kind != "" && !seen[key] {
			seen[key] = true
			out[name] = append(out[name], v)
		}
	}
	for _, v := range versions {
		exchanges, err := v.exchanges()
		if err != nil {
			return nil, err
		}
		for _, x := range exchanges {
			for _, raw := range x.Frames {
				if known := string(bytes.TrimSpace(raw)); !seen[known] {
					seen[known] = true
					name, v := e.frame(raw)
					sort(e, name, v, keep)
				}
			}
			for i, body := range [][]byte{x.Body, x.Answer} {
				if known := fmt.Sprint(i, string(body)); len(body) > 0 && !seen[known] {
					seen[known] = true
					name, v := e.body(body, i == 0)
					keep("", name, v)
				}
			}
		}
	}
	return out, nil
}

// sort determines the type of a frame, and of the chunk in it.
func sort(e *evidence, name string, v any, keep func(folder, kind string, v any)) {
	object, ok := v.(map[string]any)
	if !ok {
		return
	}
	for _, set := range []*schemas.Set{e.old, e.now} {
		kind, told := object[set.Discriminator()].(string)
		if !told {
			kind = name
		}
		if slices.Contains(set.FrameTypes(), kind) {
			keep("frames/", kind, v)
		}
		chunk, _ := object[set.Nested()].(map[string]any)
		if of, _ := chunk[set.Discriminator()].(string); set.Nested() != "" && slices.Contains(set.Types(), of) {
			keep("chunks/", of, any(chunk))
		}
	}
}
