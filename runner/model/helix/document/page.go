package document

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/model"
)

// Page is a snapshot, as far as it is compared.
type Page struct {
	State          any       `json:"state"` // any JSON value
	Status         string    `json:"status"`
	StreamSequence *float64  `json:"streamSequence"` // 2.0 is an integer; never nil in a page that [Read] returns
	Messages       []Message `json:"messages"`       // in the order of the stream
}

// Message is one of a snapshot.
type Message struct {
	ID    string `json:"id"`
	Role  string `json:"role"` // "" is read as assistant
	Parts []Part `json:"parts"`
}

// Part is a text, a reasoning or a call of a message.
type Part struct {
	Type       string          `json:"type"` // decides which of the members below are set
	Text       string          `json:"text"`
	ToolCallID string          `json:"toolCallId"` // as in the chunks
	ToolName   string          `json:"toolName"`
	State      string          `json:"state"`
	Arguments  json.RawMessage `json:"arguments"` // nil if there are none
	Result     json.RawMessage `json:"result"`    // nil if there is none
	Error      any             `json:"error"`     // any JSON value; a text is compared
}

// Read decodes a snapshot without messages of other roles than the agent's, which the stream doesn't contain. It returns false if the
// body isn't a snapshot, or has no streamSequence.
func Read(body []byte) (p Page, ok bool) {
	if err := json.Unmarshal(body, &p); err != nil || p.StreamSequence == nil {
		return p, false
	}
	var emitted []Message
	for _, m := range p.Messages {
		if m.Role == "" || m.Role == "assistant" {
			emitted = append(emitted, m)
		}
	}
	p.Messages = emitted
	return p, true
}

// Text joins the texts of all parts of a type, "text" or "reasoning".
func (p *Page) Text(of string) string {
	var b strings.Builder
	for _, m := range p.Messages {
		for _, part := range m.Parts {
			if part.Type == of {
				b.WriteString(part.Text)
			}
		}
	}
	return b.String()
}

// CalledWith compares the tool of a call, and its arguments where they are an object. A part may show them as a text.
func (p Part) CalledWith(tool string, arguments any) error {
	if p.ToolName != tool {
		return model.Violated("helix.snapshot.exact", strconv.Quote(tool), strconv.Quote(p.ToolName), "a snapshot shows the call %s with another name, or none", p.ToolCallID)
	}
	object, is := arguments.(map[string]any)
	if !is || len(object)+len(p.Arguments) == 0 {
		return nil
	}
	var shown any
	err := json.Unmarshal(p.Arguments, &shown)
	if members, is := shown.(map[string]any); err != nil || is && !Equal(any(object), any(members)) {
		return model.Unequal("helix.snapshot.exact", object, p.Arguments, "a snapshot shows the call %s with other arguments, or none", p.ToolCallID)
	}
	return nil
}

// EndedWith compares the error of a call that failed, and the result of one that didn't. A part without a result shows null.
func (p Part) EndedWith(failed bool, message string, result any) error {
	if failed {
		if text, is := p.Error.(string); message != "" && (p.Error == nil || is && text != message) {
			return model.Unequal("helix.snapshot.exact", message, text, "a snapshot shows the call %s with another error, or none", p.ToolCallID)
		}
		return nil
	}
	if result == nil && p.Result == nil {
		return nil
	}
	var shown any
	if json.Unmarshal(p.Result, &shown) != nil || !Equal(result, shown) {
		return model.Unequal("helix.snapshot.exact", result, p.Result, "a snapshot shows the call %s with another result, or none", p.ToolCallID)
	}
	return nil
}
