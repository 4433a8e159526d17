package diff

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/schemas"
)

// named is a name in braces where a number would be: goldens write the ones that a run chose so.
var named = regexp.MustCompile(`([:\[,])\{[A-Za-z][A-Za-z0-9-]*\}`)

// body finds out which document a body of a golden is: the one whose schema it keeps in either version, with the most
// members that have to be there. It is "" for a text, for a message of a stream, and where two documents match equally.
func (e *evidence) body(data []byte, clients bool) (name string, v any) {
	v = decode(named.ReplaceAll(data, []byte("${1}1702329600000")))
	object, ok := v.(map[string]any)
	if !ok {
		return "", nil
	}
	forms := []any{v}
	if strings.Contains(text(v), `"{ts`) {
		forms = []any{stamped(v, "2026-01-01T00:00:00.000Z"), stamped(v, json.Number("1702329600000"))}
	}
	most := 0
	for _, set := range []*schemas.Set{e.old, e.now} {
		for _, document := range set.Names() {
			n := e.required(set, document, object)
			if n == 0 || n < most || document == name || (set.Sender(document) == schemas.SentByServer) == clients || message(document) != document {
				continue
			}
			i := slices.IndexFunc(forms, func(form any) bool { return len(e.of(set, document, []byte(text(form)))[schemas.Strict]) == 0 })
			switch {
			case i < 0:
			case n == most:
				name = ""
			default:
				name, v, most = document, forms[i], n
			}
		}
	}
	if name == "" {
		return "", nil
	}
	return name, v
}

// required counts the members that a document must have, 0 if one of them isn't there.
func (e *evidence) required(set *schemas.Set, document string, object map[string]any) int {
	n := 0
	for _, m := range e.members(set, document) {
		if _, there := object[m]; !there {
			return 0
		}
		n++
	}
	return n
}

// members returns the names that a document must have at its top.
func (e *evidence) members(set *schemas.Set, document string) []string {
	key := judged{set: set, name: document}
	out, ok := e.musts[key]
	if ok {
		return out
	}
	for _, m := range set.Members(document) {
		if m.Strict == schemas.Required && !strings.ContainsAny(m.Path, ".[") {
			out = append(out, m.Path)
		}
	}
	e.musts[key] = out
	return out
}
