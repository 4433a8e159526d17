package run

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps/helix/world"

	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
)

// quiet is the time for which a stream must be silent before its run counts as settled, on a server without StreamInfo.
const quiet = 50 * time.Millisecond

func producedSteps(v *steps.Sentences[*world.World]) {
	steps.Doc2(v, features.Then, `^`+world.AClient+` receives, in this order:$`, receivesInOrder)
	steps.Step4(v, features.Then, `^`+world.AClient+` receives no chunk with (\{.*?\})(?: (before|beside) one with (\{.*\}))?$`, func(w *world.World, who, pattern, where, other string) error {
		if where == "before" {
			return receivesNoneBefore(w, who, pattern, other)
		}
		return receivesNone(w, who, pattern, other)
	})
	steps.Step3(v, features.Then, `^`+world.AClient+` receives (\d+) chunks? with (\{.*\})$`, func(w *world.World, who string, n int, pattern string) error {
		return receivesCount(w, who, pattern, n)
	})
	steps.Step2(v, features.Then, `^the (?:run|stream) of `+world.AClient+` finishes with the (end|fail) frame$`, finishesWith)
	steps.Step2(v, features.Then, `^the stream of `+world.AClient+` has not finished(?: after a chunk with (\{.*\}))?$`, notFinished)
	steps.Step2(v, features.When, `^client "([^"]+)" resumes after the sequence that the (\w+) of the run names$`, resumeAfterNamed)
}

// Everything reads all chunks that the run has produced by now and appends them to Got.
func Everything(c *world.Client) error {
	if world.Get[*Run](c.World) == nil || world.Get[*Run](c.World).Stream != c.Stream {
		return steps.Faultf("%s doesn't read the stream of a run", c.Title())
	}
	// The head of the response shows that the reader is attached, which matters while the stream has no chunks.
	if _, err := c.Reader.Head(); err != nil {
		return c.Where(err)
	}
	if err := settled(c.World); err != nil {
		return err
	}
	if world.Get[*Run](c.World).state.over() {
		return Take(c, "the terminal frame", func(*world.Message) bool { return false })
	}
	latest, known, err := latest(c.Stream)
	if err != nil {
		return err
	}
	if !known {
		return untilQuiet(c)
	}
	if latest == 0 || reached(c, latest) {
		return nil
	}
	return Take(c, fmt.Sprintf("everything up to sequence %d", latest), func(*world.Message) bool { return reached(c, latest) })
}

// EachEntire calls f as World.Each does, with each client after it has read all chunks that the run has produced by now.
func EachEntire(w *world.World, who string, f func(*world.Client) error) error {
	return w.Each(who, func(c *world.Client) error {
		if err := Everything(c); err != nil {
			return err
		}
		return f(c)
	})
}

// reached reports whether the client has received the chunk of a sequence or a later one.
func reached(c *world.Client, n int64) bool {
	got, err := strconv.ParseInt(c.LastID, 10, 64)
	return err == nil && got >= n
}

// Take appends messages to Got until the stream is over or enough returns true.
func Take(c *world.Client, awaited string, enough func(*world.Message) bool) error {
	for c.Terminal == nil {
		m, err := c.Next(awaited)
		if err != nil {
			return c.Where(err)
		}
		if m == nil {
			return nil
		}
		c.Got = append(c.Got, m)
		if enough(m) {
			return nil
		}
	}
	return nil
}

// untilQuiet appends messages to Got until none has come for the time quiet.
func untilQuiet(c *world.Client) error {
	for c.Terminal == nil {
		f, err := c.Reader.Next("what the run says", time.Now().Add(quiet))
		if _, delayed := err.(*target.TimeoutError); delayed {
			return nil
		}
		if err != nil {
			return c.Where(err)
		}
		if f != nil {
			c.Reader.Unread()
		}
		before := len(c.Got)
		if err := Take(c, "what the run says", func(*world.Message) bool { return len(c.Got) > before }); err != nil {
			return err
		}
	}
	return nil
}

// latest requests the latest sequence of a stream; known is false where the server has no StreamInfo.
func latest(s *world.Stream) (n int64, known bool, err error) {
	if !s.World.Session().Target().Claims("info") {
		return 0, false, nil
	}
	e, err := targethelix.GetInfo(s.World.Session(), target.DocumentRequest{Stream: s.ID, Hidden: true})
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

// Survey reads all chunks of the run as a new reader that transcripts leave out.
func Survey(w *world.World) (*world.Client, error) {
	s, err := w.Stream("")
	if err != nil {
		return nil, err
	}
	c := &world.Client{World: w, Name: "survey", Stream: s}
	if err := c.Connect(target.ReadRequest{Hidden: true}); err != nil {
		return nil, err
	}
	defer c.Reader.Disconnect()
	return c, Everything(c)
}

// A pattern describes a chunk by some of its members. A string that begins with $ is a variable: it matches any string,
// and the same string at each later use.
type pattern map[string]any

// ParsePattern reads a pattern, a JSON object.
func ParsePattern(text string) (pattern, error) {
	v, err := steps.Decode([]byte(text))
	p, ok := v.(map[string]any)
	if err != nil || !ok {
		return nil, steps.Faultf("%s is no JSON object", text)
	}
	return p, nil
}

// matches compares a message with the pattern. It returns the variables that the match binds.
func (p pattern) matches(m *world.Message, bound map[string]string) (map[string]string, bool) {
	next := maps.Clone(bound)
	for name, want := range p {
		got := m.Member(name)
		if m.Type != "chunk" {
			got = top(m, name)
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

// top returns a member of the frame itself.
func top(m *world.Message, name string) any {
	v, err := steps.Decode(frame.Member(m.Frame.Data, name))
	if err != nil {
		return nil
	}
	return v
}

// receivesInOrder checks that the run produced the listed chunks or frames in their order, with any others between
// them.
func receivesInOrder(w *world.World, who, list string) error {
	var wants []string
	for line := range strings.Lines(list) {
		if line = strings.TrimSpace(line); line != "" {
			wants = append(wants, line)
		}
	}
	return EachEntire(w, who, func(c *world.Client) error {
		remaining, bound := c.Got, map[string]string{}
		for _, want := range wants {
			p, err := ParsePattern(want)
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
				return c.Failure(filled(want, bound), Types(remaining), nil)
			}
			w.Saw(1)
		}
		return nil
	})
}

// filled replaces the variables of a pattern that have values.
func filled(text string, bound map[string]string) string {
	for variable, value := range bound {
		text = strings.ReplaceAll(text, strconv.Quote(variable), strconv.Quote(value))
	}
	return text
}

// Types lists the types of the messages for reports.
func Types(ms []*world.Message) string {
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
		kind, _ := m.Member("type").(string)
		if m.Type != "chunk" {
			kind = m.Type
		}
		fmt.Fprintf(out, "%s", kind)
	}
	_ = out.Flush()
	return "no such one among: " + b.String()
}

// receivesCount checks how many chunks of the run match the pattern.
func receivesCount(w *world.World, who, text string, want int) error {
	p, err := ParsePattern(text)
	if err != nil {
		return err
	}
	return EachEntire(w, who, func(c *world.Client) error {
		n := 0
		var last *world.Message
		for _, m := range c.Got {
			if _, ok := p.matches(m, nil); ok {
				n, last = n+1, m
			}
		}
		if n != want {
			return c.Failure(fmt.Sprintf("%s with %s", counted(want), text), counted(n), last)
		}
		w.Saw(n)
		return nil
	})
}

// receivesNoneBefore checks that no chunk matches the first pattern before the first chunk that matches the second.
func receivesNoneBefore(w *world.World, who, text, bound string) error {
	p, err := ParsePattern(text)
	if err != nil {
		return err
	}
	until, err := ParsePattern(bound)
	if err != nil {
		return err
	}
	return EachEntire(w, who, func(c *world.Client) error {
		for _, m := range c.Got {
			if _, ok := until.matches(m, nil); ok {
				w.Saw(1)
				return nil
			}
			if _, ok := p.matches(m, nil); ok {
				return c.Failure("no chunk with "+text+" before one with "+bound, steps.Clip(m.Frame.Data), m)
			}
		}
		return c.Failure("a chunk with "+bound, Types(c.Got), nil)
	})
}

// finishesWith checks how the stream of a settled run finished.
func finishesWith(w *world.World, who, kind string) error {
	return EachEntire(w, who, func(c *world.Client) error {
		if c.Terminal == nil || c.Terminal.Type != kind {
			return c.Failure(finish(c, kind), finish(c, ""), c.Terminal)
		}
		w.Saw(1)
		return nil
	})
}

// finish returns the phrase of reports for a terminal frame; "" stands for the terminal frame of the client, if it has
// one.
func finish(c *world.Client, kind string) string {
	if kind == "" && c.Terminal != nil {
		kind = c.Terminal.Type
	}
	return map[string]string{"": "no terminal frame", "end": "an end frame", "fail": "a fail frame"}[kind]
}

// resumeAfterNamed attaches a client after the fromSequence of the first chunk of a type.
func resumeAfterNamed(w *world.World, name, kind string) error {
	c, err := Survey(w)
	if err != nil {
		return err
	}
	for _, m := range c.Got {
		if m.Member("type") != kind {
			continue
		}
		n, ok := m.Member("fromSequence").(json.Number)
		if !ok {
			return c.Failure("a "+kind+" chunk with fromSequence", steps.Clip(m.Chunk), m)
		}
		cursor := strconv.FormatFloat(steps.Float(n), 'f', 0, 64) // a JSON number may have an exponent, a cursor may not
		_, err := w.Attach(name, "", target.ReadRequest{Cursor: &cursor})
		return err
	}
	return c.Failure("a "+kind+" chunk", Types(c.Got), nil)
}

// counted returns a number of chunks in words.
func counted(n int) string {
	if n == 1 {
		return "1 chunk"
	}
	return fmt.Sprintf("%d chunks", n)
}

// FinishedSince receives the terminal frame if the stream has finished since a client read it: after the latest chunk there
// is no sequence to wait for.
func FinishedSince(w *world.World, c *world.Client) error {
	if !w.Session().Target().Claims("info") {
		return untilQuiet(c)
	}
	e, err := targethelix.GetInfo(w.Session(), target.DocumentRequest{Stream: c.Stream.ID, Hidden: true})
	if err != nil {
		return err
	}
	var info struct{ Status string }
	if v := e.Now(); v.Status != 200 || json.Unmarshal(v.Answer, &info) != nil || info.Status != "ended" && info.Status != "failed" {
		return nil
	}
	return Take(c, "the terminal frame", func(*world.Message) bool { return false })
}
