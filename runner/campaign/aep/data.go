package aep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/aep"
)

const (
	mostBlocks = 12
	manyBlocks = 130 // of the first message of a request with all data
	several    = 10

	mostUncut = 100 // bytes of a text that servers send in one piece
)

// source makes the data of one request: every text has the marker of the request in it.
type source struct {
	marker string // unique in the campaign
	n      int    // how many were made
}

// text returns a text of a class. The marker is alternately at its beginning or its end, so that the other end is of the
// class.
func (s *source) text(a step) string {
	s.n++
	if a.class == words {
		return s.marker + strings.Repeat(" word", max(0, a.size-1))
	}
	class := a.class
	switch class {
	case sample:
		return sampled(a.size)
	case every:
		return strings.Join(allTexts(a.size), "|") // a server may send a piece for each word
	case values:
		class = ascii
	}
	text := campaign.Text(class, s.n+a.size, a.size)
	if class == "astral" && a.size >= mostUncut && s.n%4 < 2 { // so that pairs begin at places of either parity
		text = "x" + text
	}
	if s.n%2 == 0 {
		return s.marker + text
	}
	return text + s.marker
}

// value makes a JSON value of a class.
func (s *source) value(a step) any {
	if a.class == values {
		s.n++
		all := campaign.Values()
		at := (s.n + a.size) % len(all)
		return map[string]any{"of": s.marker, "value": all[at], "more": append(all[at:], all[:at]...)[:several]}
	}
	switch a.class {
	case sample:
		return sampledValue(a.size)
	case every:
		all := named(a.size)
		all["list"], all["object"] = many()
		if a.size%2 == 0 {
			all["long"] = strings.Repeat("long", 2500)
		}
		return all
	}
	text := s.text(a)
	in := []any{text}
	switch { // so that the value is beyond 64 KiB where a message may not be
	case a.size > 2*mostDoubled:
		in[0] = ""
	case a.size > mostDoubled:
		in = append(in, text)
	}
	return map[string]any{"text": text, "in": in}
}

// arguments returns the arguments of a tool.
func (s *source) arguments(a step) map[string]any {
	switch a.class {
	case sample:
		if a.size%8 == 4 {
			return wrapped(a.size / 8)
		}
		return few(a.size)
	case every:
		return named(a.size)
	}
	arguments, _ := s.value(a).(map[string]any)
	arguments["code"] = "if x:\n" + strings.Repeat(" ", 90+a.size%9) + "y" // wherever it is cut, a piece is white space alone
	return arguments
}

// context returns the application's context for the nth request of a thread, nil for none. The same names get other values
// later.
func (s *source) context(n int, o Operation) map[string]any {
	switch {
	case o.class == sample:
		return few(o.size)
	case o.class == every:
		all, _ := s.value(step{class: every, size: o.size}).(map[string]any)
		return all
	case o.size%3 > 0:
		return map[string]any{fmt.Sprintf("note-%d", n/2%2): s.value(step{class: o.class, size: o.size})}
	}
	return nil
}

// script returns the agent's script. Each barrier, tool and secret has a unique name. The text begins with the marker.
func (s *source) script(acts []step, secret string) []model.ScriptStep {
	out := []model.ScriptStep{}
	begun := false
	for i, a := range acts {
		if !begun && (a.name == "text" || a.name == "echo") {
			begun, out = true, append(out, model.ScriptStep{Name: "text", Text: s.marker})
		}
		m := model.ScriptStep{Name: a.name}
		switch a.name {
		case "text", "thinking":
			if a.name == "text" && a.class == every {
				for _, text := range allTexts(a.size) {
					out = append(out, model.ScriptStep{Name: "text", Text: text})
				}
				continue
			}
			m.Text = s.text(a)
		case "only":
			m = model.ScriptStep{Name: "text", Text: sampled(a.size)}
		case "tool", "failing":
			m.Name, m.Tool = "tool", s.tool(i, a, secret)
		case "continue":
			m.Asks = model.ActionRequest{Kind: fmt.Sprintf("approval-%d", i%2), Payload: s.value(a)}
			if a.size%2 == 1 {
				m.Asks.Kind = called(a.size / 2)
			}
		case "echo", "fail":
			m.Text = a.class
		case "await":
			m.Text = fmt.Sprintf("barrier-%d", i)
		}
		out = append(out, m)
	}
	return out
}

// tool returns the nth step of a script, a call.
func (s *source) tool(n int, a step, secret string) model.Tool {
	t := model.Tool{Name: fmt.Sprintf("tool-%d", n%3), Arguments: s.arguments(a), Fails: a.name == "failing", Summary: summarised(a.size)}
	if a.class == sample || a.class == every || a.size%2 == 1 {
		t.Name = called(a.size / 2)
	}
	if t.Small = (n + a.size) % 13; !t.Fails && t.Small > 7 {
		t.Form, t.Secret = []string{"", "list", "text"}[(n+a.size)%3], fmt.Sprintf("%s-%d-secret", secret, n)
	}
	return t
}

// messages returns the user's messages; may reports whether a text without a marker may be used. The texts have no white
// space at their ends, which may be trimmed, and no NUL.
func (s *source) messages(o Operation, may func(text string) bool) (texts []string, blocks [][]string) {
	class := o.class
	if class == "nul" {
		class = ascii
	}
	for i := range o.count {
		parts := []string{s.marker + fmt.Sprintf("(%d:", i) + s.text(step{class: class, size: o.size}) + ")"}
		if text := sampled(o.size + i/2); class == sample && sayable(text) && may(text) { // two in a row say the same
			texts, blocks = append(texts, text), append(blocks, []string{text})
			continue
		}
		count := (i + o.size) % mostBlocks
		if i == 0 && o.class == every {
			count = manyBlocks
		}
		for n := range count {
			parts = append(parts, part(n, o.size, parts))
		}
		texts, blocks = append(texts, strings.Join(parts, "")), append(blocks, parts)
	}
	return texts, blocks
}

// part returns a block of a message after others: an empty one, the one before once more, one of the catalogue, one that is
// treated, or a number.
func part(n, size int, before []string) string {
	switch n % 4 {
	case 0:
		if all := treated(); n%8 == 4 {
			return all[(n/8+size)%len(all)]
		}
	case 1:
		return ""
	case 2:
		if text := sampled(size + n); firm(text) {
			return text
		}
	case 3:
		return before[len(before)-1]
	}
	return fmt.Sprint(n)
}

// body returns a request as this specification shapes it. thread is its id, "" for a new one; a request without results has
// an empty list of them if emptyList is set.
func body(a model.Request, blocks [][]string, thread string, says bool) []byte {
	request := map[string]any{}
	if !a.NoForm {
		messages := []any{}
		for _, texts := range blocks {
			content := []any{}
			for _, text := range texts {
				content = append(content, map[string]any{"type": "text", "text": text})
			}
			messages = append(messages, map[string]any{"role": "user", "content": content})
		}
		request["messages"] = messages
	} else if a.Instead != nil {
		request["messages"] = a.Instead
	}
	if thread != "" {
		request["threadId"] = thread
	}
	context := map[string]any{}
	for name, v := range a.Context {
		context[name] = v
	}
	if results := []any{}; says || len(a.Results) > 0 {
		for _, r := range a.Results {
			results = append(results, r.Object("result"))
		}
		context["actionResults"] = results
	}
	if a.Script != nil {
		script := []any{}
		for _, act := range a.Script {
			script = append(script, act.Object())
		}
		context["conformance"] = map[string]any{"script": script}
	}
	if a.Early {
		context["conformance"] = map[string]any{"refuse": "internal_error"}
	}
	if len(context) > 0 {
		request["context"] = context
	}
	return encode(request)
}

// encode writes JSON as it is: no character is escaped for HTML.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // strings, numbers and values made from them
	}
	return bytes.TrimSpace(b.Bytes())
}
