package helix

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
)

// failures are codes that a stream may fail with; it may have none.
var failures = slices.Concat([]string{"tool_timeout", "", "framework_cancelled"}, codes, []string{
	"state_session_not_found", "state_already_running", "state_not_resumable", "",
})

// over ends or fails the stream and lets every reader see that.
func (p changes) over(s *stream, o Operation) error {
	if s.Finished() {
		return p.delayed(s, o.kind)
	}
	if err := p.readerOps.attached(s); err != nil {
		return err
	}
	p.serverRestarts++
	text := fmt.Sprintf("life %d", p.serverRestarts) // another each time
	switch o.class {
	case long64:
		text += strings.Repeat(" "+filler, min(300<<10, int(p.target.Limits().Within().String)-100)/(len(filler)+1))
	case empty:
		text = ""
	case asciiText:
		if p.serverRestarts%3 == 2 {
			text += strings.Repeat(" "+filler, 20<<(p.serverRestarts%7)) // up to 20 KiB
		}
	case every:
		for n := range 5 { // dozens of lives end with all texts
			class, i := campaign.TextClass(5*p.serverRestarts + n + s.Written())
			text += " " + campaign.Text(class, i, 1)
		}
	default:
		text = campaign.Text(o.class, s.Written(), 1)
	}
	if o.kind == fail {
		members, code := map[string]any{"error": text}, failures[p.serverRestarts%len(failures)]
		if p.failed++; p.failed%3 == 2 { // one that has none, after one that has
			code = ""
		}
		if code != "" {
			members["code"] = code
		}
		if _, err := p.must(s, "helix.lifecycle.fail", "POST", "/fail", members); err != nil {
			return err
		}
		s.Fail(text, code)
		if err := p.readerOps.dismiss(s); err != nil || code != "" {
			return err
		}
		return p.delayed(s, []kind{fail, end}[p.serverRestarts%2])
	}
	members, output := map[string]any{}, p.finalOutput(s, text)
	if output != nil {
		members["finalOutput"] = json.RawMessage(output)
	}
	if _, err := p.must(s, "helix.lifecycle.end", "POST", "/end", members); err != nil {
		return err
	}
	s.End(string(output))
	if err := p.readerOps.dismiss(s); err != nil || output != nil {
		return err
	}
	return p.delayed(s, []kind{end, fail}[p.serverRestarts%2])
}

// delayed ends or fails a stream that is over: that changes nothing, refused or not. What the first call left out is said.
func (p changes) delayed(s *stream, how kind) error {
	_, _, err := p.call(s, "helix.lifecycle.first-terminal-wins", "POST", "/"+string(how), map[string]any{"error": "late", "code": "tool_timeout", "finalOutput": "late"})
	return err
}

// absent are what a truth test takes for no output.
var absent = []any{"", nil, 0.0, false, []any{}, map[string]any{}}

// finalOutput is what a stream ends with, nil for nothing. Any value is an output, by itself too.
func (p changes) finalOutput(s *stream, text string) []byte {
	values := campaign.Values()
	value := values[(s.Written()+p.ends)%len(values)]
	p.ends++
	emitted := encode(map[string]any{"said": text, "values": value})
	switch p.ends % 5 {
	case 0:
		return encode(absent[(p.ends/5+s.Written())%len(absent)])
	case 1:
		return emitted
	case 2:
		return encode(string(emitted)) // a text that could be read
	case 3:
		return encode(value)
	}
	return nil
}
