package helix

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
)

// writing makes scripts of runs.
type writing struct {
	r      *rand.Rand
	s      runSubject
	claims func(string) bool
	at     int // which text and which value of the catalogue come next
	named  int // so far
	runs   int
	keys   []string // of the state, each with whether it is a list
	lists  []string
}

type acts = []any

// script makes one.
func (w *writing) script() string {
	w.runs++
	w.keys, w.lists = nil, nil
	steps := make([]any, 0, w.s.steps)
	for range 1 + w.r.IntN(w.s.steps) {
		steps = append(steps, w.acts(1+w.r.IntN(5), 0))
	}
	last := steps[len(steps)-1].(acts)
	if w.r.IntN(3) > 0 { // where it can be stopped, and looked at
		last = append(last, w.await())
	}
	switch campaign.Pick(w.r, w.s.ends...) {
	case "output":
		last = append(last, one("output", w.value()))
	case "error":
		last = append(last, one("error", map[string]any{"message": "it broke"}))
	case "fault":
		last = append(last, one("error", map[string]any{"message": "the key is wrong", "code": "provider_auth_error"}))
	case "abort":
		last = append(last, one("error", map[string]any{"message": "aborted", "abort": true}))
	case "stop":
		last = append(last, one("stop", campaign.Pick(w.r, "content_filter", "refusal", "error", "unknown")))
	}
	steps[len(steps)-1] = last
	return asText(steps)
}

// asText is a value as JSON without an escaped quotation mark, which a feature file would take for its own.
func asText(v any) string {
	var b strings.Builder
	raw := string(encode(v))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		if i++; raw[i] == '"' {
			b.WriteString(`\u0022`)
			continue
		}
		b.WriteByte('\\')
		b.WriteByte(raw[i])
	}
	return b.String()
}

func one(kind string, value any) map[string]any { return map[string]any{kind: value} }

// acts draws some; depth is how deep branches and sub-agents are nested.
func (w *writing) acts(n, depth int) acts {
	kinds := slices.DeleteFunc(slices.Sorted(maps.Keys(w.s.acts)), func(k string) bool {
		c := map[string]string{"approval": "approval", "client": "client-tool", "subagent": "subagents"}[k]
		return c != "" && !w.claims(c) || depth > 0 && slices.Contains([]string{"parallel", "approval", "client", "await", "subagent", "works"}, k)
	})
	of := make([]int, len(kinds))
	for i, k := range kinds {
		of[i] = w.s.acts[k]
	}
	out := acts{}
	for range n {
		out = append(out, w.act(kinds[campaign.Weighted(w.r, of)], depth))
	}
	return out
}

func (w *writing) act(k string, depth int) any {
	switch k {
	case "text", "thinking":
		return one(k, w.said())
	case "custom":
		return one(k, map[string]any{"eventName": w.name("event"), "data": w.value()})
	case "tool", "approval", "client", "works":
		return one("tool", w.tool(k))
	case "set":
		key := w.key()
		return one("set", map[string]any{"key": key, "value": w.value()})
	case "append":
		if len(w.lists) == 0 || w.r.IntN(3) == 0 {
			w.lists = append(w.lists, w.name("list"))
		}
		items := make([]any, 1+w.r.IntN(3))
		for i := range items {
			items[i] = []any{w.next(), w.value()}
		}
		return one("append", map[string]any{"key": campaign.Pick(w.r, w.lists...), "items": items})
	case "delete":
		return one("delete", map[string]any{"key": w.key()})
	case "await":
		return w.await()
	case "stop":
		return one("stop", campaign.Pick(w.r, "end_turn", "stop_sequence", "tool_use", "max_tokens"))
	case "error":
		return one("error", map[string]any{"message": "again", "code": campaign.Pick(w.r, "provider_overloaded", "tool_timeout", "transport_error"), "retryable": true})
	case "parallel":
		return one("parallel", w.branches(depth))
	}
	script := acts{}
	for range 1 + w.r.IntN(2) {
		script = append(script, w.acts(1+w.r.IntN(3), depth+1))
	}
	child := map[string]any{"type": w.name("helper"), "script": script}
	switch last := script[len(script)-1].(acts); w.r.IntN(4) {
	case 0:
		child["result"] = w.value()
	case 1:
		child["error"] = "the helper gave up"
	default:
		script[len(script)-1] = append(last, one("output", w.value()))
	}
	return one("subagent", child)
}

// branches run side by side. Each sets keys of its own, and they append to the same lists.
func (w *writing) branches(depth int) []any {
	out := []any{}
	keys := w.keys
	waits := w.r.IntN(3)
	for range 2 + w.r.IntN(4) {
		w.keys = nil
		branch := w.acts(1+w.r.IntN(2), depth+1)
		switch { // all that wait do so for the same kind of thing
		case waits == 0:
			branch = append(branch, one("tool", w.tool("works")))
		case waits == 1 && w.claims("approval") && w.s.acts["approval"] > 0:
			branch = append(branch, one("tool", w.tool("approval")))
		}
		out = append(out, branch)
	}
	w.keys = keys
	return out
}

func (w *writing) await() any { return one("await", fmt.Sprintf("b%d", w.next())) }

func (w *writing) next() int {
	w.named++
	return w.named
}

// name makes one that nothing else has, with a text of the catalogue now and then.
func (w *writing) name(of string) string {
	name := fmt.Sprintf("%s-%d", of, w.next())
	if w.r.IntN(3) == 0 {
		if t := w.text(); !strings.ContainsAny(t, "\r\n") { // a server may refuse a line end in a name
			name += t
		}
	}
	return name
}

// text is the next one of the catalogue.
func (w *writing) text() string {
	w.at++
	class, i := campaign.TextClass(w.at)
	return campaign.Text(class, i, campaign.Size(w.r, 200))
}

// said is what a model says or thinks: of it, a text of the catalogue.
func (w *writing) said() string {
	return fmt.Sprintf("[%d]", w.next()) + campaign.Pick(w.r, "", " and so on. ", w.text(), w.text())
}

// value is a text or another value of the catalogue, alone or within more.
func (w *writing) value() any {
	w.at++
	all := campaign.Values()
	switch w.r.IntN(6) {
	case 0:
		return w.text()
	case 1: // what a truth test takes for absent
		return campaign.Pick[any](w.r, nil, false, 0.0, "", []any{}, map[string]any{})
	case 2:
		return map[string]any{"text": w.text(), "n": w.at, "list": []any{all[w.at%len(all)]}, "none": nil}
	}
	return all[w.at%len(all)]
}

// key is one of the state, often one that is there.
func (w *writing) key() string {
	if len(w.keys) == 0 || w.r.IntN(3) == 0 {
		w.keys = append(w.keys, w.name(fmt.Sprintf("key-%d", w.runs)))
	}
	return campaign.Pick(w.r, w.keys...)
}

// tool is a call of one.
func (w *writing) tool(k string) map[string]any {
	t := map[string]any{"name": w.name("tool")}
	switch object := map[string]any{"a": w.value(), "b": w.text(), "none": nil}; w.r.IntN(6) {
	case 0:
	case 1:
		t["arguments"] = w.value()
	case 2, 3:
		t["arguments"] = string(encode(object))
	default:
		t["arguments"] = object
	}
	switch k {
	case "client":
		t["client"] = true
		return t
	case "approval":
		t["approval"] = campaign.Pick[any](w.r, true, true, "broken")
	case "works":
		t["waits"] = fmt.Sprintf("b%d", w.next())
	}
	if w.r.IntN(4) == 0 {
		t["error"] = "no" + w.text()
	} else {
		t["result"] = w.value()
	}
	return t
}

// simplerScripts leave out steps and acts of a script.
func simplerScripts(script string) []string {
	var steps []any
	if json.Unmarshal([]byte(script), &steps) != nil {
		return nil
	}
	var out []string
	for i, step := range steps {
		if len(steps) > 1 {
			out = append(out, asText(slices.Delete(slices.Clone(steps), i, i+1)))
		}
		list, _ := step.([]any)
		for j := range list {
			fewer := slices.Clone(steps)
			fewer[i] = slices.Delete(slices.Clone(list), j, j+1)
			out = append(out, asText(fewer))
		}
	}
	return out
}
