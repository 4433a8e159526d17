package helixui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/steps"
)

// turn is one request and its response.
type turn struct {
	w          *steps.World      // its scenario
	reader     *target.Reader    // of the response
	script     []json.RawMessage // of the agent, for a resumed reader that of the latest request; nil for none
	scripted   bool              // the agent has a script
	isResponse bool              // it answers a request, and not a reader that came back
	waits      bool              // the agent waits, or does nothing more

	answers *turn // the response whose calls it answers; nil for none

	again string // text after the id at which the reader resumed, which it gets again

	parts []*part // that were read
	over  bool    // finish, or the end of the stream, was read
	ended bool    // the body has ended
}

// part is one part of a response.
type part struct {
	kind  string         // its type
	value map[string]any // its members
	frame *wire.Frame    // in which it came
	id    string         // of the event, "" for none
}

// modelled are parts as the model of the pack has them.
func modelled(parts []*part) []model.Part {
	var out []model.Part
	for _, p := range parts {
		out = append(out, model.Part{ID: p.id, Members: p.value})
	}
	return out
}

// text returns a member that is a text; "" if it isn't one.
func (p *part) text(member string) string {
	s, _ := p.value[member].(string)
	return s
}

// where adds the exchange to a failure that names none.
func (t *turn) where(err error) error {
	if err == nil {
		return nil
	}
	err = steps.Classify(err)
	if f, ok := err.(*steps.Failure); ok && f.Exchange == nil {
		f.Exchange, f.Frame = t.reader.Exchange, -1
	}
	return err
}

// textWithheld returns a failure; where it is that a text doesn't come while the agent waits, it names the rule that asks for it.
func (t *turn) textWithheld(err error, text string) error {
	err = t.where(err)
	if f, is := err.(*steps.Failure); is && f.Message == steps.TimedOut && len(t.joined("text")) < len(text) {
		f.DemandedBy = "helix-ui.text.live"
	}
	return err
}

// word matches a run of letters: no server spells it in another way, and a resumed reader has an end of one at least.
var word = regexp.MustCompile(`[A-Za-z]{3,}`)

// failure returns a failure of the response, at a part or, with nil, at none. It names a word that another chat may have.
func (t *turn) failure(want, got string, at *part) *steps.Failure {
	f := &steps.Failure{Finding: record.Finding{Message: "the response", Want: want, Got: got, Frame: -1}, Exchange: t.reader.Exchange}
	if at != nil {
		f.Frame = at.frame.Index
	}
	for _, w := range word.FindAllString(t.joined("text"), -1) {
		if t.script != nil && !slices.ContainsFunc(t.script, func(act json.RawMessage) bool { return strings.Contains(string(act), w) }) {
			f.Message = fmt.Sprintf("the response, with the word %q, which its script doesn't have", w)
			break
		}
	}
	return f
}

// canScript reports an agent without scripts as unprovable: its behaviour proves nothing.
func (t *turn) canScript() error {
	if t.scripted && t.w.Env().Unscripted != "" {
		return &steps.Unprovable{Reason: t.w.Env().Unscripted}
	}
	return nil
}

// next reads the next part; nil at the end of the stream. It skips invalid parts.
func (t *turn) next(awaited string) (*part, error) {
	by := t.w.Session().Target().By()
	for !t.ended {
		f, err := t.reader.Next(awaited, by)
		switch {
		case err != nil:
			return nil, err
		case f == nil:
			t.ended = true
			return nil, t.served()
		case !f.Dispatched():
		case string(bytes.TrimSpace(f.Data)) == "[DONE]":
			t.over = true
		default:
			v, err := steps.Decode(f.Data)
			object, _ := v.(map[string]any)
			if err != nil || object == nil {
				continue
			}
			p := &part{value: object, frame: f, id: f.ID}
			p.kind = p.text("type")
			t.over = t.over || p.kind == "finish"
			t.parts = append(t.parts, p)
			return p, nil
		}
	}
	return nil, nil
}

// served checks that an ended response was a stream.
func (t *turn) served() error {
	v := t.reader.Now()
	switch {
	case v.Status == 501:
		return &steps.Unprovable{Reason: "the agent doesn't know how to do what the script says: " + steps.Clip(v.Answer)}
	case v.Status != 200:
		return t.failure("a stream", fmt.Sprintf("%d %s", v.Status, steps.Clip(v.Answer)), nil)
	}
	return nil
}

// readToEnd reads to the end of the body, unless the agent takes no script.
func (t *turn) readToEnd() error {
	if err := t.canScript(); err != nil {
		return err
	}
	for {
		if p, err := t.next("the end of the response"); err != nil || p == nil {
			return err
		}
	}
}

// finish reads a body to its end, unless the agent waits, so that the transcript is complete.
func (t *turn) finish() {
	for v := t.reader.Now(); t.over || !t.waits || v.Status != 0 && v.Status != 200; {
		if p, err := t.next("the end of the response"); p == nil || err != nil {
			break // the judge checks the rest
		}
	}
	if t.ended {
		_, _ = t.reader.Ended()
	}
}

// find returns the first part of a type, nil if there is none.
func (t *turn) find(kind string) *part {
	for _, p := range t.parts {
		if p.kind == kind {
			return p
		}
	}
	return nil
}

// joined returns all deltas of a kind, concatenated.
func (t *turn) joined(kind string) string {
	var b strings.Builder
	for _, p := range t.parts {
		if p.kind == kind+"-delta" {
			b.WriteString(p.text("delta"))
		}
	}
	return b.String()
}

// kinds returns the types of the parts, for people.
func (t *turn) kinds() string {
	var all []string
	for _, p := range t.parts {
		if n := len(all); n == 0 || all[n-1] != p.kind {
			all = append(all, p.kind)
		}
	}
	return strings.Join(all, ", ")
}
