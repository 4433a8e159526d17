package diff

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/schemas"
)

// evidence judges documents by the schemas of both versions.
type evidence struct {
	old, now *schemas.Set        // of the two versions
	judged   int                 // documents so far, for the report
	known    map[judged]verdicts // results so far: edits of one position judge the same documents
	musts    map[judged][]string // the members that a document must have, by its set and name
}

// judged is a document by the name that it was judged by, and by whom.
type judged struct {
	set        *schemas.Set // never nil
	name, text string
}

// outcome combines the differences between the versions over several documents.
type outcome struct {
	documents int      // that were judged
	wrong     int      // of them, in at least one version
	narrower  bool     // one was right and is wrong
	wider     bool     // one was wrong and is right
	louder    bool     // a reader could refuse one, and can't any more
	example   any      // a document of the worst that was found
	worst     Class    // class of the worst difference; None before
	blamed    []string // requirements that a document breaks in one version only
}

// verdicts are the findings on a document by profile; nil for a valid one.
type verdicts [2][]schemas.Finding

// How documents are judged by the type that they name: as a chunk, or as an event of the name that follows.
const (
	asChunk = "a chunk"
	asEvent = "an event "
)

func (e *evidence) of(set *schemas.Set, name string, data []byte) verdicts {
	key := judged{set, name, string(data)}
	if v, ok := e.known[key]; ok {
		return v
	}
	var v verdicts
	for _, p := range []schemas.Profile{schemas.Strict, schemas.Lenient} {
		switch name {
		case asChunk:
			v[p] = set.Chunk(p, data).Findings
		default:
			if kind, ok := strings.CutPrefix(name, asEvent); ok {
				v[p] = set.Event(p, kind, data).Findings
				continue
			}
			v[p] = set.Document(name, p, data).Findings
		}
	}
	e.known[key] = v
	return v
}

// inspect judges a document by both versions: by the schema of that name.
func (e *evidence) inspect(o *outcome, name string, d direction, doc any) {
	e.judged++
	o.documents++
	data := []byte(text(doc))
	before, after := e.of(e.old, name, data), e.of(e.now, name, data)
	right := func(v verdicts, p schemas.Profile) bool { return len(v[p]) == 0 }
	was, is := right(before, schemas.Strict), right(after, schemas.Strict)
	read, reads := right(before, schemas.Lenient), right(after, schemas.Lenient)
	if !was || !is {
		o.wrong++
	}
	var this outcome
	this.narrower, this.wider, this.louder = was && !is, is && !was, reads && !read
	class := this.class(d)
	if read && !reads && class == Editorial && d == toReaders {
		class = Additive // a reader may refuse more
	}
	o.narrower, o.wider, o.louder = o.narrower || this.narrower, o.wider || this.wider, o.louder || this.louder
	if class.rank() > o.worst.rank() {
		o.worst, o.example = class, doc
	}
	for p := range before {
		o.blame(before[p], after[p])
	}
}

// blame notes the requirements that a document breaks in one version and not in the other.
func (o *outcome) blame(before, after []schemas.Finding) {
	if (len(before) == 0) == (len(after) == 0) {
		return
	}
	for _, f := range slices.Concat(before, after) {
		if !slices.Contains(o.blamed, f.Requirement) {
			o.blamed = append(o.blamed, f.Requirement)
		}
	}
}

// class returns the class of a change with this outcome. d states who writes the document.
func (o outcome) class(d direction) Class {
	out := Editorial
	switch d {
	case toServers:
		if o.wider {
			out = worst(out, BreaksServers)
		}
		if o.narrower {
			out = worst(out, BreaksReaders)
		}
	case reported:
		if o.wider {
			out = worst(out, Additive)
		}
		if o.narrower {
			out = worst(out, BreaksReaders)
		}
	default:
		if o.wider {
			out = worst(out, Additive)
		}
		if o.narrower {
			out = worst(out, BreaksServers)
		}
		if o.louder {
			out = worst(out, BreaksReaders)
		}
	}
	return out
}

// mostBases bounds how many right documents are changed for an edit. Examples come first, and show each form of a document.
const mostBases = 10

// settle judges documents that show an edit by both versions. The result is None if no document shows it: none could be
// made, or none reaches the keyword, so that all are valid.
func (e *evidence) settle(ed edit, d direction, bases, invalid []any) (Class, any) {
	if ed.kind == defined || ed.kind == removed {
		return e.member(ed, d, bases)
	}
	var both []any
	known := map[string]bool{}
	for _, base := range bases {
		data := text(base)
		if known[data] {
			continue
		}
		known[data] = true
		old, now := e.of(e.old, ed.document, []byte(data)), e.of(e.now, ed.document, []byte(data))
		if len(old[schemas.Strict]) == 0 && len(now[schemas.Strict]) == 0 {
			both = append(both, base)
		}
		if len(both) == mostBases {
			break
		}
	}
	var o outcome
	if len(both) == 0 { // no example is valid in both versions, so that each is evidence itself
		for _, base := range bases {
			e.inspect(&o, ed.document, d, base)
			for _, doc := range directed(ed, base) {
				e.inspect(&o, ed.document, d, doc)
			}
		}
		return o.settled(o.worst.rank() > Editorial.rank())
	}
	seen := map[string]bool{}
	show := func(docs []any) {
		for _, doc := range docs {
			if key := text(doc); !seen[key] {
				seen[key] = true
				e.inspect(&o, ed.document, d, doc)
			}
		}
	}
	for _, base := range both {
		show(directed(ed, base))
	}
	made := o.documents // counted before the invalid examples, which alone prove nothing
	show(invalid)
	return o.settled(made > 0 && o.wrong > 0)
}

// member shows a member that is new or gone by the documents that have it: they are real, since none is made up for it.
func (e *evidence) member(ed edit, d direction, bases []any) (Class, any) {
	var o outcome
	name, _ := ed.either().(string)
	for _, base := range bases {
		object, _ := value(base, concrete(base, parts(ed.path))).(map[string]any)
		if _, there := object[name]; there {
			e.inspect(&o, ed.document, d, base)
		}
	}
	if ed.kind == defined && o.worst.rank() <= Editorial.rank() {
		return Additive, nil // nothing that was right is wrong by it
	}
	return o.settled(o.documents > 0)
}

func (o outcome) settled(tells bool) (Class, any) {
	if !tells {
		return None, nil
	}
	return o.worst, o.example
}

// decide returns the class that a report follows, and the reason if the methods differ.
func decide(k kind, structure, evidence Class) (Class, string) {
	switch {
	case structure == evidence:
		return structure, ""
	case evidence == None:
		return structure, "no document could be made that shows it"
	case k == removed && !evidence.Breaking():
		return structure, "members that no schema names are right, so no document shows that a reader misses it"
	case k == defined && evidence == Editorial:
		return structure, "no document that was right is wrong by it"
	case k == defined, k == removed:
		return worst(structure, evidence), "a document that was right is wrong, or the other way round"
	case evidence == Editorial:
		return evidence, "no document is right in one version and wrong in the other"
	case evidence == Additive:
		return evidence, "what is new was something that readers had to take"
	}
	return evidence, "a document shows it"
}

// frame returns the name of an event of a golden, and the value of its data, nil if that isn't JSON. Placeholders in braces
// are replaced by names that the schemas of either version accept.
func (e *evidence) frame(raw []byte) (name string, v any) {
	var data []string
	for line := range strings.SplitSeq(string(raw), "\n") {
		if rest, ok := strings.CutPrefix(line, "event:"); ok {
			name = strings.TrimPrefix(rest, " ")
		}
		if rest, ok := strings.CutPrefix(line, "data:"); ok {
			data = append(data, strings.TrimPrefix(rest, " "))
		}
	}
	v = decode([]byte(strings.Join(data, "\n")))
	if v == nil || !strings.Contains(text(v), `"{ts`) {
		return name, v
	}
	dated := stamped(v, "2026-01-01T00:00:00.000Z")
	if b := []byte(text(dated)); len(e.of(e.old, asEvent+name, b)[0]) == 0 || len(e.of(e.now, asEvent+name, b)[0]) == 0 {
		return name, dated
	}
	return name, stamped(v, json.Number("1702329600000"))
}

// stamped replaces each name of a time by a time.
func stamped(v, time any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			out[name] = stamped(member, time)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = stamped(v[i], time)
		}
		return out
	case string:
		if strings.HasPrefix(v, "{ts") && strings.HasSuffix(v, "}") {
			return time
		}
	}
	return v
}
