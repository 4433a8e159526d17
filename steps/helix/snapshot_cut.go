package helix

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
)

func snapshotBoundarySteps(v *steps.Sentences[*world]) {
	steps.Step0(v, features.Then, `^the snapshot holds what the chunks up to its sequence add up to$`, onStream0(exact))
	steps.Step0(v, features.Then, `^the sequence of the snapshot lies between the last complete step and the open one$`,
		onStream0(betweenSteps))
	steps.Step1(v, features.Then, `^the snapshot shows nothing of `+steps.JSONString+`$`, showsNothing)
}

// position is the sequence of a chunk.
func (m *message) position() (int64, bool) {
	n, err := strconv.ParseInt(m.id, 10, 64)
	return n, err == nil && m.Type == "chunk"
}

// latestOf is the highest sequence among messages, 0 if there is none.
func latestOf(ms []*message) (latest int64) {
	for _, m := range ms {
		if n, ok := m.position(); ok {
			latest = max(latest, n)
		}
	}
	return latest
}

// taken is the last snapshot, its sequence, and the whole stream as it is now.
func (s *stream) taken() (t *snapshot, sequence int64, all *clientState, err error) {
	if t, err = s.w.snapshot(); err != nil {
		return nil, 0, nil, err
	}
	cursor, err := t.cursor()
	if err != nil {
		return nil, 0, nil, err
	}
	sequence, _ = strconv.ParseInt(cursor, 10, 64)
	all, _, err = whole(s)
	return t, sequence, all, err
}

// upToSequence are the chunks at or below a sequence.
func upToSequence(ms []*message, sequence int64) []*message {
	return slices.DeleteFunc(slices.Clone(ms), func(m *message) bool {
		n, ok := m.position()
		return !ok || n > sequence
	})
}

// leavesOut reports whether a snapshot without partial content is of a sequence in the open step, of a server that claims
// to bring what that step said once more. Only its pages can tell whether it does.
func (t *snapshot) leavesOut(below []*message, w *world) bool {
	return !t.partial() && replays(w) && len(sequenceOf(below).open) > 0
}

// replays says whether the server declares that a route of its own brings what the open step has said again.
func replays(w *world) bool {
	return target.SectionOf[targethelix.Config](w.Session().Target()).Replay
}

// exact compares what a snapshot holds with what the chunks up to its sequence add up to.
func exact(s *stream) error {
	t, sequence, whole, err := s.taken()
	if err != nil {
		return err
	}
	below := upToSequence(whole.got, sequence)
	state, broken, err := fold(below, rootOf(below), s.initialState())
	if err != nil {
		return whole.failure("a patch that applies to "+string(state), fmt.Sprintf("%s (%v)", steps.Clip(broken.Chunk), err), broken)
	}
	if value, err := steps.Decode(state); err != nil || !steps.Same(value, t.members["state"]) {
		return t.failure(fmt.Sprintf("the state, of which the sequence is %d,", sequence), string(state), steps.Clip(steps.Encode(t.members["state"])))
	}
	all, err := t.agentMessages()
	if err != nil {
		return err
	}
	got := ""
	for _, m := range all {
		got += m.text
	}
	if want := textThatCounts(below); got != want && !t.leavesOut(below, s.w) {
		return t.failure(fmt.Sprintf("the text, of which the sequence is %d,", sequence), strconv.Quote(want), t.shows())
	}
	s.w.Saw(1)
	return nil
}

// A course is what the root agent said, chunk by chunk, as far as it counts.
type course struct {
	root     string
	open     []*message // of steps that aren't complete
	complete []*message // of those that are
}

// sequenceOf follows the root agent through what was received. A stream_resync takes
// the course back to what it was there.
func sequenceOf(ms []*message) *course {
	returns := comebacks(ms)
	earlier := map[int]*course{} // by the number of messages that it has followed
	for _, r := range returns {
		earlier[r.to] = nil
	}
	c := &course{}
	for i, m := range ms {
		if _, requested := earlier[i]; requested {
			earlier[i] = c.clone()
		}
		if r, ok := returns[i]; ok {
			c = earlier[r.to].clone()
			c.root = r.agent
			c.close(func(*message) bool { return true }) // the chunks that announced the checkpoint may lie behind its place
			continue
		}
		kind, _ := m.member("type").(string)
		agent, _ := m.member("agentId").(string)
		if c.root == "" {
			c.root = agent
		}
		if m.Type == "end" || m.Type == "fail" {
			c.close(func(*message) bool { return true })
		} else if agent == c.root {
			c.follow(kind, m)
		}
	}
	return c
}

func (c *course) clone() *course {
	return &course{c.root, slices.Clone(c.open), slices.Clone(c.complete)}
}

// follow takes in a chunk of the root agent.
func (c *course) follow(kind string, m *message) {
	step, numbered := m.number("step")
	switch kind {
	case "text_delta", "thinking", "tool_start", "tool_end", "output", "state_patch":
		c.open = append(c.open, m)
	case "checkpoint_created":
		count, _ := m.number("stepCount")
		c.close(upToStep(count))
	case "step_committed":
		if numbered {
			c.close(upToStep(step))
		} else {
			c.close(func(*message) bool { return true })
		}
	case "step_discarded":
		c.open = slices.DeleteFunc(c.open, func(o *message) bool {
			n, ok := o.number("step")
			return o.member("type") != "state_patch" && (!numbered || !ok || n == step)
		})
	}
}

// close makes chunks of open steps those of complete ones.
func (c *course) close(covers func(*message) bool) {
	var left []*message
	for _, m := range c.open {
		if covers(m) {
			c.complete = append(c.complete, m)
		} else {
			left = append(left, m)
		}
	}
	c.open = left
}

// upToStep tells the chunks of steps up to a number, and those without one.
func upToStep(last float64) func(*message) bool {
	return func(m *message) bool {
		n, ok := m.number("step")
		return !ok || n <= last
	}
}

// number is a member of the chunk that is a number.
func (m *message) number(name string) (float64, bool) {
	n, ok := m.member(name).(json.Number)
	return steps.Float(n), ok
}

// textThatCounts is what the root agent has said.
func textThatCounts(ms []*message) string {
	c := sequenceOf(ms)
	emitted := append(slices.Clone(c.complete), c.open...)
	slices.SortStableFunc(emitted, func(a, b *message) int {
		m, _ := a.position()
		n, _ := b.position()
		return int(m - n)
	})
	return textOf(emitted)
}

// betweenSteps checks that a snapshot holds every complete step and nothing of the open one. Chunks that say nothing may
// lie on either side of the cut.
func betweenSteps(s *stream) error {
	t, sequence, whole, err := s.taken()
	if err != nil {
		return err
	}
	c := sequenceOf(whole.got)
	latest := latestOf(whole.got)
	low, high := latestOf(c.complete), latest
	for _, m := range c.open {
		if n, ok := m.position(); ok {
			high = min(high, n-1)
		}
	}
	if (sequence < low || sequence > high) && !(sequence == latest && t.leavesOut(whole.got, s.w)) {
		return t.failure("streamSequence", fmt.Sprintf("from %d, where the last complete step ends, to %d", low, high), strconv.FormatInt(sequence, 10))
	}
	s.w.Saw(1)
	return nil
}

// showsNothing checks that no message says or does something, complete or partial.
func showsNothing(w *world, text string) error {
	t, all, unwanted, err := shown(w, text)
	if err != nil {
		return err
	}
	for _, m := range all {
		if strings.Contains(string(steps.Encode(m.parts)), unwanted) {
			return t.failure("the messages", "none that holds "+text, t.shows())
		}
	}
	w.Saw(1)
	return nil
}
