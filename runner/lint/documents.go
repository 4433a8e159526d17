package lint

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/schemas"
)

// links: files to which the spec links exist.
func links(t *tree) {
	if t.book == nil {
		return
	}
	folders := map[string]fs.FS{"schemas": t.in.Schemas, "features": t.in.Features, "golden": t.in.Golden}
	for _, l := range t.book.Links {
		folder, rest, _ := strings.Cut(strings.TrimSuffix(l.Target, "/"), "/")
		fsys, ok := folders[folder]
		if rest == "" {
			rest = "."
		}
		if !ok {
			t.report("link", "spec/"+l.File, l.Line, "link to %s, expected one into spec, schemas, features or golden", l.Target)
		} else if _, err := fs.Stat(fsys, rest); err != nil {
			t.report("link", "spec/"+l.File, l.Line, "link to %s, which does not exist", l.Target)
		}
	}
}

// schemaFiles: the schemas of the packs and of the kit have no problems.
func schemaFiles(t *tree) {
	sets := []*schemas.Set{}
	for _, p := range t.packs {
		if p.schemas != nil {
			sets = append(sets, p.schemas)
		}
	}
	kit, err := schemas.Kit(t.in.Schemas)
	if err != nil {
		t.report("schemas", "schemas", 0, "%s", oneLine(err))
	} else {
		sets = append(sets, kit)
	}
	for _, set := range sets {
		for _, p := range set.Problems() {
			message := p.Message
			if p.Pointer != "" {
				message = p.Pointer + ": " + message
			}
			source, err := fs.ReadFile(t.in.Schemas, p.File)
			line := 0
			if err == nil && p.Pointer != "" {
				line = lineOf(source, p.Pointer)
			}
			t.report("schemas", "schemas/"+p.File, line, "%s", message)
		}
	}
}

// lineOf returns the line of the value at a JSON pointer, or of the last existing value on its path.
func lineOf(source []byte, pointer string) int {
	dec := json.NewDecoder(bytes.NewReader(source))
	at := int64(0)
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		if !enter(dec, token) {
			break
		}
		at = dec.InputOffset()
	}
	return bytes.Count(source[:at], []byte("\n")) + 1
}

// enter moves into the object or array that comes next, up to the member or item.
func enter(dec *json.Decoder, token string) bool {
	open, err := dec.Token()
	if err != nil {
		return false
	}
	for i := 0; dec.More(); i++ {
		name := strconv.Itoa(i)
		if open == json.Delim('{') {
			key, err := dec.Token()
			if err != nil {
				return false
			}
			name, _ = key.(string)
		}
		if name == token {
			return true
		}
		var skipped json.RawMessage
		if dec.Decode(&skipped) != nil {
			return false
		}
	}
	return false
}

// schemaIDs: every requirement that a schema names is in the spec.
func schemaIDs(t *tree) {
	for _, p := range t.packs {
		if p.schemas == nil {
			continue
		}
		for _, id := range p.schemas.Requirements() {
			t.named("schema-id", "schemas/"+p.Name, "a schema", id)
		}
	}
}

// judgedIDs: every requirement that a judge names is in the spec.
func judgedIDs(t *tree) {
	for _, p := range t.packs {
		for _, id := range p.Judged {
			t.named("judge-id", "runner/judge/"+p.Name, "the judge", id)
		}
	}
}

// named reports an id that no requirement has, or whose requirement is withdrawn. who names it in the file.
func (t *tree) named(check, file, who, id string) {
	q, known := t.requirement(id)
	switch {
	case t.book == nil:
	case !known:
		t.report(check, file, 0, "%s names %s, which is no requirement", who, id)
	case q.Withdrawn != "":
		t.report(check, file, 0, "%s names %s, which is withdrawn", who, id)
	}
}

// typesShown: every chunk type is written by some scenario, and every frame type spoken of by a step.
func typesShown(t *tree) {
	for _, p := range t.packs {
		if p.schemas == nil || p.partial {
			continue
		}
		var text strings.Builder
		for _, sc := range p.scenarios {
			for _, row := range sc.Rows {
				for _, st := range row.Steps {
					text.WriteString(st.Text + "\n")
				}
			}
		}
		for _, name := range p.schemas.Types() {
			t.shown(p, text.String(), "chunks/"+name, "chunk type "+name, name+" chunk")
		}
		for _, name := range p.schemas.FrameTypes() {
			t.shown(p, text.String(), "frames/"+name, "frame type "+name, name)
		}
	}
}

// shown reports that a text lacks a phrase, which shows that no scenario or step is about a type.
func (t *tree) shown(p *pack, text, file, what, phrase string) {
	if !regexp.MustCompile(`\b` + regexp.QuoteMeta(phrase) + `\b`).MatchString(text) {
		t.report("type", "schemas/"+p.Name+"/"+file+".json", 0, "no step speaks of the %s, expected %q in one", what, phrase)
	}
}
