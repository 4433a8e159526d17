package helix

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
)

// quiet is how long nothing must come from a server that offers no other sign that its run has said everything.
const quiet = 50 * time.Millisecond

func producedSteps(v *steps.Sentences[*world]) {
	steps.Doc2(v, features.Then, `^`+aClient+` receives, in this order:$`, receivesInOrder)
	steps.Step4(v, features.Then, `^`+aClient+` receives no chunk with (\{.*?\})(?: (before|beside) one with (\{.*\}))?$`, func(w *world, who, pattern, where, other string) error {
		if where == "before" {
			return receivesNoneBefore(w, who, pattern, other)
		}
		return receivesNone(w, who, pattern, other)
	})
	steps.Step3(v, features.Then, `^`+aClient+` receives (\d+) chunks? with (\{.*\})$`, func(w *world, who string, n int, pattern string) error {
		return receivesCount(w, who, pattern, n)
	})
	steps.Step2(v, features.Then, `^the (?:run|stream) of `+aClient+` finishes with the (end|fail) frame$`, finishesWith)
	steps.Step2(v, features.Then, `^the stream of `+aClient+` has not finished(?: after a chunk with (\{.*\}))?$`, notFinished)
	steps.Step2(v, features.When, `^client "([^"]+)" resumes after the sequence that the (\w+) of the run names$`, resumeAfterNamed)
}

// everything reads all that the run has produced by now, and keeps it.
func (c *clientState) everything() error {
	if c.w.agent == nil || c.w.agent.stream != c.stream {
		return steps.Faultf("%s doesn't read the stream of a run", c.title())
	}
	// With its head, a response is attached, which matters while nothing was said yet.
	if _, err := c.reader.Head(); err != nil {
		return c.where(err)
	}
	if err := settled(c.w); err != nil {
		return err
	}
	if c.w.agent.state.over() {
		return c.take("the terminal frame", func(*message) bool { return false })
	}
	latest, known, err := latest(c.stream)
	if err != nil {
		return err
	}
	if !known {
		return c.untilQuiet()
	}
	if latest == 0 || c.reached(latest) {
		return nil
	}
	return c.take(fmt.Sprintf("everything up to sequence %d", latest), func(*message) bool { return c.reached(latest) })
}

// reached reports whether the client has been delivered a sequence.
func (c *clientState) reached(n int64) bool {
	got, err := strconv.ParseInt(c.lastID, 10, 64)
	return err == nil && got >= n
}

// take keeps what comes until the stream is over or enough says so.
func (c *clientState) take(awaited string, enough func(*message) bool) error {
	for c.terminal == nil {
		m, err := c.next(awaited)
		if err != nil {
			return c.where(err)
		}
		if m == nil {
			return nil
		}
		c.got = append(c.got, m)
		if enough(m) {
			return nil
		}
	}
	return nil
}

// untilQuiet keeps what comes until nothing has come for a while.
func (c *clientState) untilQuiet() error {
	for c.terminal == nil {
		f, err := c.reader.Next("what the run says", time.Now().Add(quiet))
		if _, delayed := err.(*target.TimeoutError); delayed {
			return nil
		}
		if err != nil {
			return c.where(err)
		}
		if f != nil {
			c.reader.Unread()
		}
		before := len(c.got)
		if err := c.take("what the run says", func(*message) bool { return len(c.got) > before }); err != nil {
			return err
		}
	}
	return nil
}

// latest asks for the latest sequence of a stream; known is false where the server has no StreamInfo.
func latest(s *stream) (n int64, known bool, err error) {
	if !s.w.Session().Target().Claims("info") {
		return 0, false, nil
	}
	e, err := targethelix.AskInfo(s.w.Session(), target.DocumentRequest{Stream: s.id, Hidden: true})
	if err != nil {
		return 0, false, err
	}
	var info struct {
		Latest *float64 `json:"latestSequence"`
	}
	if v := e.Now(); v.Status != 200 || json.Unmarshal(v.Answer, &info) != nil || info.Latest == nil {
		return 0, false, nil
	}
	return int64(*info.Latest), true, nil
}

// survey reads everything that the run has produced as a new reader that no transcript shows.
func survey(w *world) (*clientState, error) {
	s, err := w.stream("")
	if err != nil {
		return nil, err
	}
	c := &clientState{w: w, name: "survey", stream: s}
	if err := c.connect(target.ReadRequest{Hidden: true}); err != nil {
		return nil, err
	}
	defer c.reader.Cut()
	return c, c.everything()
}

// A pattern describes a chunk by some of its members. A string that begins with $ stands for any
// string; the same one ever after.
type pattern map[string]any

func parsePattern(text string) (pattern, error) {
	v, err := steps.Decode([]byte(text))
	p, ok := v.(map[string]any)
	if err != nil || !ok {
		return nil, steps.Faultf("%s is no JSON object", text)
	}
	return p, nil
}

// matches compares a message with the pattern. What it binds is in the returned map.
func (p pattern) matches(m *message, bound map[string]string) (map[string]string, bool) {
	next := maps.Clone(bound)
	for name, want := range p {
		got := m.member(name)
		if m.Type != "chunk" {
			got = m.top(name)
		}
		variable, ok := want.(string)
		if !ok || !strings.HasPrefix(variable, "$") {
			if !steps.Same(got, want) {
				return nil, false
			}
			continue
		}
		text, ok := got.(string)
		if old, known := next[variable]; !ok || text == "" || known && old != text {
			return nil, false
		}
		next[variable] = text
	}
	return next, true
}

// top is a member of the frame itself.
func (m *message) top(name string) any {
	v, err := steps.Decode(m.frame.Data)
	if err != nil {
		return nil
	}
	return steps.MemberOf(v, name)
}

// receivesInOrder checks that what the run produced holds the listed chunks or frames in their order, whatever is between.
func receivesInOrder(w *world, who, list string) error {
	var wants []string
	for line := range strings.Lines(list) {
		if line = strings.TrimSpace(line); line != "" {
			wants = append(wants, line)
		}
	}
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		remaining, bound := c.got, map[string]string{}
		for _, want := range wants {
			p, err := parsePattern(want)
			if err != nil {
				return err
			}
			found := false
			for i, m := range remaining {
				if next, ok := p.matches(m, bound); ok {
					remaining, bound, found = remaining[i+1:], next, true
					break
				}
			}
			if !found {
				return c.failure(filled(want, bound), kinds(remaining), nil)
			}
			w.Saw(1)
		}
		return nil
	})
}

// filled writes the values of known variables into a pattern.
func filled(text string, bound map[string]string) string {
	for variable, value := range bound {
		text = strings.ReplaceAll(text, strconv.Quote(variable), strconv.Quote(value))
	}
	return text
}

// kinds lists what was left to look through, for people.
func kinds(ms []*message) string {
	if len(ms) == 0 {
		return "nothing more"
	}
	var b strings.Builder
	out := bufio.NewWriter(&b)
	for i, m := range ms {
		if i == 12 {
			fmt.Fprintf(out, ", … %d more", len(ms)-i)
			break
		}
		if i > 0 {
			fmt.Fprint(out, ", ")
		}
		kind, _ := m.member("type").(string)
		if m.Type != "chunk" {
			kind = m.Type
		}
		fmt.Fprintf(out, "%s", kind)
	}
	_ = out.Flush()
	return "no such one among: " + b.String()
}

// receivesCount checks how many chunks of the run look like the pattern.
func receivesCount(w *world, who, text string, want int) error {
	p, err := parsePattern(text)
	if err != nil {
		return err
	}
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		n := 0
		var last *message
		for _, m := range c.got {
			if _, ok := p.matches(m, nil); ok {
				n, last = n+1, m
			}
		}
		if n != want {
			return c.failure(fmt.Sprintf("%s with %s", counted(want), text), counted(n), last)
		}
		w.Saw(n)
		return nil
	})
}

// receivesNoneBefore checks that no chunk that looks like the one pattern comes before the first that looks like the other.
func receivesNoneBefore(w *world, who, text, bound string) error {
	p, err := parsePattern(text)
	if err != nil {
		return err
	}
	until, err := parsePattern(bound)
	if err != nil {
		return err
	}
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		for _, m := range c.got {
			if _, ok := until.matches(m, nil); ok {
				w.Saw(1)
				return nil
			}
			if _, ok := p.matches(m, nil); ok {
				return c.failure("no chunk with "+text+" before one with "+bound, steps.Clip(m.frame.Data), m)
			}
		}
		return c.failure("a chunk with "+bound, kinds(c.got), nil)
	})
}

// finishesWith checks how the stream of a settled run finished.
func finishesWith(w *world, who, kind string) error {
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		if c.terminal == nil || c.terminal.Type != kind {
			return c.failure(c.finish(kind), c.finish(""), c.terminal)
		}
		w.Saw(1)
		return nil
	})
}

// finish names how a stream finished, for people; "" is how that of the client has.
func (c *clientState) finish(kind string) string {
	if kind == "" && c.terminal != nil {
		kind = c.terminal.Type
	}
	return map[string]string{"": "no terminal frame", "end": "an end frame", "fail": "a fail frame"}[kind]
}

// resumeAfterNamed attaches a client after the fromSequence of the first chunk of a type.
func resumeAfterNamed(w *world, name, kind string) error {
	c, err := survey(w)
	if err != nil {
		return err
	}
	for _, m := range c.got {
		if m.member("type") != kind {
			continue
		}
		n, ok := m.member("fromSequence").(json.Number)
		if !ok {
			return c.failure("a "+kind+" chunk with fromSequence", steps.Clip(m.Chunk), m)
		}
		cursor := strconv.FormatFloat(steps.Float(n), 'f', 0, 64) // as a number may be written, a cursor may not
		_, err := w.attach(name, "", target.ReadRequest{Cursor: &cursor})
		return err
	}
	return c.failure("a "+kind+" chunk", kinds(c.got), nil)
}

// counted is a number of chunks in words.
func counted(n int) string {
	if n == 1 {
		return "1 chunk"
	}
	return fmt.Sprintf("%d chunks", n)
}
