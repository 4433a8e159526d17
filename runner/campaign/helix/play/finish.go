package play

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// over ends or fails the stream and has every reader receive the terminal frame.
func (p changes) over(s *stream, o program.Operation) error {
	if s.Finished() {
		return p.delayed(s, o.Kind)
	}
	if err := p.readerOps.attached(s); err != nil {
		return err
	}
	p.terminalCalls++
	text := fmt.Sprintf("life %d", p.terminalCalls) // unique
	switch o.Class {
	case program.LongText:
		text += strings.Repeat(" "+data.Filler, min(300<<10, int(p.target.Limits().Within().String)-100)/(len(data.Filler)+1))
	case program.EmptyText:
		text = ""
	case program.ASCIIText:
		if p.terminalCalls%3 == 2 {
			text += strings.Repeat(" "+data.Filler, 20<<(p.terminalCalls%7)) // up to about 20 KiB
		}
	case program.EveryClass:
		for n := range 5 { // dozens of ends have all texts of the catalogue
			class, i := campaign.TextClass(5*p.terminalCalls + n + s.Written())
			text += " " + campaign.Text(class, i, 1)
		}
	default:
		text = campaign.Text(o.Class, s.Written(), 1)
	}
	if o.Kind == program.Fail {
		members, code := map[string]any{"error": text}, data.FailureCodes[p.terminalCalls%len(data.FailureCodes)]
		if p.failed++; p.failed%3 == 2 { // a failure without a code, after one with a code
			code = ""
		}
		if code != "" {
			members["code"] = code
		}
		if _, err := p.calls.must(s, "helix.lifecycle.fail", "POST", "/fail", members); err != nil {
			return err
		}
		s.Fail(text, code)
		if err := p.readerOps.dismiss(s); err != nil || code != "" {
			return err
		}
		return p.delayed(s, []program.Kind{program.Fail, program.End}[p.terminalCalls%2])
	}
	p.ends++
	members, output := map[string]any{}, data.FinalOutput(p.ends, s.Written(), text)
	if output != nil {
		members["finalOutput"] = json.RawMessage(output)
	}
	if _, err := p.calls.must(s, "helix.lifecycle.end", "POST", "/end", members); err != nil {
		return err
	}
	s.End(string(output))
	if err := p.readerOps.dismiss(s); err != nil || output != nil {
		return err
	}
	return p.delayed(s, []program.Kind{program.End, program.Fail}[p.terminalCalls%2])
}

// delayed ends or fails a finished stream, which changes nothing. It has the members that the first call left out.
func (p changes) delayed(s *stream, how program.Kind) error {
	_, _, err := p.calls.call(s, "helix.lifecycle.first-terminal-wins", "POST", "/"+string(how), map[string]any{"error": "late", "code": "tool_timeout", "finalOutput": "late"})
	return err
}
