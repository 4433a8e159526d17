package letter

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/reference/merlin"
)

// event is one of the model.
type event struct {
	Choices []struct{ Delta delta }
	Usage   map[string]json.RawMessage
}

type delta struct {
	Content   text
	Index     *int
	Reasoning *reasoning
	Citation  *citation
	ToolCalls []toolCall `json:"tool_calls"`
}

type reasoning struct {
	Text      text   `json:"text"`
	Index     int    `json:"index"`
	ID        string `json:"id,omitempty"`
	Signature string `json:"signature,omitempty"`
}

type citation struct {
	Document int    `json:"document_index"`
	Text     string `json:"cited_text"`
}

type toolCall struct {
	Index    int
	Type     json.RawMessage // nil where there is no such member
	ID       string
	Function struct {
		Name      string
		Arguments text
	}
}

// reader parses events from the model's bytes. The source doesn't show its reader (004:185).
type reader struct{ unread []byte }

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func (r *reader) read(piece []byte) (out []event) {
	r.unread = append(r.unread, piece...)
	for {
		at, width := -1, 0
		for _, end := range []string{"\n\n", "\r\n\r\n", "\r\r"} {
			if i := bytes.Index(r.unread, []byte(end)); i >= 0 && (at < 0 || i < at) {
				at, width = i, len(end)
			}
		}
		if at < 0 {
			return out
		}
		var data []string
		for line := range strings.SplitSeq(lineEnds.Replace(string(r.unread[:at])), "\n") {
			if value, is := strings.CutPrefix(line, "data:"); is {
				data = append(data, strings.TrimPrefix(value, " "))
			}
		}
		r.unread = r.unread[at+width:]
		var e event
		if json.Unmarshal([]byte(strings.Join(data, "\n")), &e) == nil {
			out = append(out, e)
		}
	}
}

// pieces returns the bytes that the model sends for consecutive script steps, divided into pieces. size is the size of a piece in
// bytes, 0 for one piece a step; a step can change it, also for the steps after these.
func pieces(acts []merlin.Instruction, size *int) (out [][]byte) {
	var joined []byte
	cut := func() {
		for n := *size; n > 0 && len(joined) > 0; {
			n = min(n, len(joined))
			out, joined = append(out, joined[:n]), joined[n:]
		}
	}
	for _, a := range acts {
		var said []byte
		switch {
		case a.Split != nil:
			cut()
			*size = *a.Split
			continue
		case a.Bytes != nil:
			said = []byte(*a.Bytes)
		case a.Usage != nil:
			said = []byte("data: " + string(marshal(map[string]any{"choices": []any{}, "usage": a.Usage})) + "\n\n")
		default:
			said = []byte("data: " + string(marshal(map[string]any{"choices": []any{map[string]any{"delta": a.Delta}}})) + "\n\n")
		}
		if *size == 0 {
			out = append(out, said)
		} else {
			joined = append(joined, said...)
		}
	}
	cut()
	return out
}
