package merlin

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// Delta is one event of the model.
type Delta struct {
	Content   string         // "" for none
	Index     int            // of the content, -1 where the model has none
	Reasoning *Reasoning     // nil for none
	Citation  *Citation      // nil for none
	Calls     []CallPart     // entries of one event, of any number of calls
	Usage     map[string]any // nil for none
}

// Reasoning is a piece of the model's reasoning.
type Reasoning struct {
	Text      string `json:"text"`
	Index     int    `json:"index"` // pieces of one index belong to each other
	ID        string `json:"id,omitempty"`
	Signature string `json:"signature,omitempty"` // the model's, of the complete reasoning
}

// Citation is a source that the model names.
type Citation struct {
	Document int    `json:"document_index"` // index in the attachments of type web; there may be none of it
	Text     string `json:"cited_text"`
}

// CallPart is a tool call, or a continuation of one.
type CallPart struct {
	Index    int     `json:"index"` // of the call
	Type     *string `json:"type"`  // nil where the entry continues a call
	ID       string  `json:"id"`    // in the first entry of a call
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// longestEvent limits the stored bytes of an incomplete event of the model.
const longestEvent = 8 << 20

// upstream parses the model's bytes in any division. merlin.upstream.cut: an incomplete event waits for more bytes, so that
// divided characters stay intact. merlin.upstream.characters, merlin.upstream.calls-cut
type upstream struct {
	unparsed []byte // the beginning of an event; at most longestEvent bytes
	// failed: the model sent an error, which ends its answer. merlin.failure.ends
	failed bool
	half   string // the escape of a half of a character with which the last content ended
}

// read returns the events that a piece completes.
func (u *upstream) read(piece []byte) []Delta {
	u.unparsed = append(u.unparsed, piece...)
	var out []Delta
	for {
		block, n := completeEvent(u.unparsed)
		if n == 0 {
			break
		}
		u.unparsed = u.unparsed[n:]
		if d, ok := u.delta(block); ok {
			out = append(out, d)
		}
	}
	if len(u.unparsed) > longestEvent {
		u.unparsed = nil
	}
	return out
}

// completeEvent returns the first event of a text, and its length with its blank line; 0 if none is complete.
func completeEvent(text []byte) (block []byte, n int) {
	for _, end := range []string{"\n\n", "\r\n\r\n", "\r\r"} {
		if i := bytes.Index(text, []byte(end)); i >= 0 && (n == 0 || i+len(end) < n) {
			block, n = text[:i], i+len(end)
		}
	}
	return block, n
}

// lineEnds makes every end of a line an LF.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// delta parses an event. Invalid JSON, such as [DONE], is ignored. merlin.upstream.noise
func (u *upstream) delta(block []byte) (d Delta, ok bool) {
	var lines []string
	for line := range strings.Lines(lineEnds.Replace(string(block))) {
		if value, found := strings.CutPrefix(strings.TrimRight(line, "\n"), "data:"); found {
			lines = append(lines, strings.TrimPrefix(value, " "))
		}
	}
	var event struct {
		Choices []struct {
			Delta struct {
				Content   json.RawMessage `json:"content"`
				Index     *int            `json:"index"`
				Reasoning *Reasoning      `json:"reasoning"`
				Citation  *Citation       `json:"citation"`
				Calls     []CallPart      `json:"tool_calls"`
			}
		}
		Usage map[string]any
		Error json.RawMessage
	}
	if json.Unmarshal([]byte(strings.Join(lines, "\n")), &event) != nil {
		return d, false
	}
	u.failed = u.failed || len(event.Error) > 0 && string(event.Error) != "null"
	d = Delta{Index: -1, Usage: event.Usage}
	if len(event.Choices) > 0 { // the last event of a model has usage alone
		from := event.Choices[0].Delta
		d.Content, d.Reasoning, d.Citation, d.Calls = u.text(from.Content), from.Reasoning, from.Citation, from.Calls
		if from.Index != nil {
			d.Index = *from.Index
		}
	}
	return d, true
}

// highHalf matches the escape of the first half of a surrogate pair at the end of a string.
var highHalf = regexp.MustCompile(`^((?:[^\\]|\\.)*?)(\\u[dD][89abAB][0-9a-fA-F]{2})$`)

// text returns a content. The first half of a character, as an escape at its end, waits for the second one in the next
// content. merlin.slices.whole-characters, merlin.upstream.halves
func (u *upstream) text(raw json.RawMessage) string {
	if len(raw) < 2 || raw[0] != '"' {
		return "" // null or nothing
	}
	inner := u.half + string(raw[1:len(raw)-1])
	u.half = ""
	if m := highHalf.FindStringSubmatch(inner); m != nil {
		inner, u.half = m[1], m[2]
	}
	var out string
	if json.Unmarshal([]byte(`"`+inner+`"`), &out) != nil {
		return ""
	}
	return out
}
