package helix

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
)

// failures are codes that a stream may fail with; it may have none.
var failures = []string{"tool_timeout", "", "provider_overloaded", "framework_cancelled", "validation_error"}

// over ends or fails the stream and lets every reader see that.
func (p *play) over(s *stream, o Operation) error {
	if s.Finished() {
		_, _, err := p.call(s, "helix.lifecycle.first-terminal-wins", "POST", "/"+string(o.kind), map[string]any{"error": "late", "finalOutput": "late"})
		return err // a second one changes nothing, refused or not
	}
	if err := p.attached(s); err != nil {
		return err
	}
	p.lives++
	text := fmt.Sprintf("life %d", p.lives) // another each time
	switch o.class {
	case long64:
		text += strings.Repeat(" "+filler, min(300<<10, int(p.target.Limits().Within().String)-100)/(len(filler)+1))
	case plain:
		if p.lives%3 == 2 {
			text += strings.Repeat(" "+filler, 20<<(p.lives%7)) // up to 20 KiB
		}
	default:
		text = campaign.Text(o.class, s.Written(), 1)
	}
	if o.kind == fail {
		members, code := map[string]any{"error": text}, failures[p.lives%len(failures)]
		if code != "" {
			members["code"] = code
		}
		if _, err := p.must(s, "helix.lifecycle.fail", "POST", "/fail", members); err != nil {
			return err
		}
		s.Fail(text, code)
		return p.dismiss(s)
	}
	members, output := map[string]any{}, []byte(nil)
	if values := campaign.Values(); p.lives%5 != 4 { // every fifth has no output
		output = encode(map[string]any{"said": text, "values": values[s.Written()%len(values)]})
		switch p.lives % 5 { // any value is one, by itself too
		case 1:
			output = encode(string(output)) // a text that could be read
		case 3:
			output = encode(values[s.Written()%len(values)])
		}
		members["finalOutput"] = json.RawMessage(output)
	}
	if _, err := p.must(s, "helix.lifecycle.end", "POST", "/end", members); err != nil {
		return err
	}
	s.End(string(output))
	return p.dismiss(s)
}
