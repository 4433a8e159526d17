package snapshot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps/helix/run"
	"github.com/streamcert/streamcert/steps/helix/world"

	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
)

func snapshotBoundarySteps(v *steps.Sentences[*world.World]) {
	steps.Step0(v, features.Then, `^the snapshot holds what the chunks up to its sequence add up to$`, world.OnStream0(exact))
	steps.Step0(v, features.Then, `^the sequence of the snapshot lies between the last complete step and the open one$`,
		world.OnStream0(betweenSteps))
	steps.Step1(v, features.Then, `^the snapshot shows nothing of `+steps.JSONString+`$`, showsNothing)
}

// position returns the sequence of a chunk; false for other frames and for an id that isn't a number.
func position(m *world.Message) (int64, bool) {
	n, err := strconv.ParseInt(m.ID, 10, 64)
	return n, err == nil && m.Type == "chunk"
}

// latestOf returns the highest sequence among messages, 0 if there is none.
func latestOf(ms []*world.Message) (latest int64) {
	for _, m := range ms {
		if n, ok := position(m); ok {
			latest = max(latest, n)
		}
	}
	return latest
}

// taken returns the last snapshot, its sequence, and a client that has read the complete stream.
func taken(s *world.Stream) (t *snapshot, sequence int64, all *world.Client, err error) {
	if t, err = lastSnapshot(s.World); err != nil {
		return nil, 0, nil, err
	}
	cursor, err := t.cursor()
	if err != nil {
		return nil, 0, nil, err
	}
	sequence, _ = strconv.ParseInt(cursor, 10, 64)
	all, _, err = complete(s)
	return t, sequence, all, err
}

// upToSequence returns the chunks at or below a sequence.
func upToSequence(ms []*world.Message, sequence int64) []*world.Message {
	return slices.DeleteFunc(slices.Clone(ms), func(m *world.Message) bool {
		n, ok := position(m)
		return !ok || n > sequence
	})
}

// leavesOut reports whether the snapshot may lack the output of the open step: it has no partial content, its sequence
// lies in an open step, and the server declares that it replays the output of that step. below are the chunks up to the
// sequence.
func (t *snapshot) leavesOut(below []*world.Message, w *world.World) bool {
	return !t.partial() && replays(w) && len(sequenceOf(below).open) > 0
}

// replays reports whether the server declares a separate route that replays the output of the open step.
func replays(w *world.World) bool {
	return target.SectionOf[targethelix.Config](w.Session().Target()).Replay
}

// exact compares the state and the text of a snapshot with those of the chunks up to its sequence.
func exact(s *world.Stream) error {
	t, sequence, entire, err := taken(s)
	if err != nil {
		return err
	}
	below := upToSequence(entire.Got, sequence)
	state, broken, err := run.Fold(below, run.RootOf(below), initialState(s))
	if err != nil {
		return entire.Failure("a patch that applies to "+string(state), fmt.Sprintf("%s (%v)", steps.Clip(broken.Chunk), err), broken)
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
	if want := textThatCounts(below); got != want && !t.leavesOut(below, s.World) {
		return t.failure(fmt.Sprintf("the text, of which the sequence is %d,", sequence), strconv.Quote(want), t.shows())
	}
	s.World.Saw(1)
	return nil
}

// agentChunks are the chunks of the root agent that aren't void.
type agentChunks struct {
	root     string           // agentId of the root agent; "" before its first chunk
	open     []*world.Message // of incomplete steps
	complete []*world.Message // of complete steps
}

// sequenceOf returns the valid chunks of the root agent. A stream_resync restores the chunks of an earlier point.
func sequenceOf(ms []*world.Message) *agentChunks {
	returns := run.Comebacks(ms)
	earlier := map[int]*agentChunks{} // by the number of messages before it
	for _, r := range returns {
		earlier[r.To] = nil
	}
	c := &agentChunks{}
	for i, m := range ms {
		if _, requested := earlier[i]; requested {
			earlier[i] = c.clone()
		}
		if r, ok := returns[i]; ok {
			c = earlier[r.To].clone()
			c.root = r.Agent
			c.close(func(*world.Message) bool { return true }) // the chunks that announced the checkpoint may have higher sequences than the checkpoint
			continue
		}
		kind, _ := m.Member("type").(string)
		agent, _ := m.Member("agentId").(string)
		if c.root == "" {
			c.root = agent
		}
		if m.Type == "end" || m.Type == "fail" {
			c.close(func(*world.Message) bool { return true })
		} else if agent == c.root {
			c.follow(kind, m)
		}
	}
	return c
}

func (c *agentChunks) clone() *agentChunks {
	return &agentChunks{c.root, slices.Clone(c.open), slices.Clone(c.complete)}
}

// follow adds a chunk of the root agent.
func (c *agentChunks) follow(kind string, m *world.Message) {
	step, numbered := number(m, "step")
	switch kind {
	case "text_delta", "thinking", "tool_start", "tool_end", "output", "state_patch":
		c.open = append(c.open, m)
	case "checkpoint_created":
		count, _ := number(m, "stepCount")
		c.close(upToStep(count))
	case "step_committed":
		if numbered {
			c.close(upToStep(step))
		} else {
			c.close(func(*world.Message) bool { return true })
		}
	case "step_discarded":
		c.open = slices.DeleteFunc(c.open, func(o *world.Message) bool {
			n, ok := number(o, "step")
			return o.Member("type") != "state_patch" && (!numbered || !ok || n == step)
		})
	}
}

// close moves the chunks that covers selects from open to complete.
func (c *agentChunks) close(covers func(*world.Message) bool) {
	var left []*world.Message
	for _, m := range c.open {
		if covers(m) {
			c.complete = append(c.complete, m)
		} else {
			left = append(left, m)
		}
	}
	c.open = left
}

// upToStep returns a filter that selects chunks of steps up to a number, and those without a step.
func upToStep(last float64) func(*world.Message) bool {
	return func(m *world.Message) bool {
		n, ok := number(m, "step")
		return !ok || n <= last
	}
}

// number returns a numeric member of the chunk; false if it isn't a number.
func number(m *world.Message, name string) (float64, bool) {
	n, ok := m.Member(name).(json.Number)
	return steps.Float(n), ok
}

// textThatCounts returns the text of the root agent without void chunks.
func textThatCounts(ms []*world.Message) string {
	c := sequenceOf(ms)
	emitted := append(slices.Clone(c.complete), c.open...)
	slices.SortStableFunc(emitted, func(a, b *world.Message) int {
		m, _ := position(a)
		n, _ := position(b)
		return int(m - n)
	})
	return run.TextOf(emitted)
}

// betweenSteps checks that a snapshot has every complete step and nothing of the open one. Chunks without content may
// lie on either side of the boundary.
func betweenSteps(s *world.Stream) error {
	t, sequence, entire, err := taken(s)
	if err != nil {
		return err
	}
	c := sequenceOf(entire.Got)
	latest := latestOf(entire.Got)
	low, high := latestOf(c.complete), latest
	for _, m := range c.open {
		if n, ok := position(m); ok {
			high = min(high, n-1)
		}
	}
	if (sequence < low || sequence > high) && !(sequence == latest && t.leavesOut(entire.Got, s.World)) {
		return t.failure("streamSequence", fmt.Sprintf("from %d, where the last complete step ends, to %d", low, high), strconv.FormatInt(sequence, 10))
	}
	s.World.Saw(1)
	return nil
}

// showsNothing checks that no message, complete or partial, contains a text in any of its parts.
func showsNothing(w *world.World, text string) error {
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
