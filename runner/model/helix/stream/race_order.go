package stream

import (
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/streamcert/streamcert/runner/model"
)

// situation is a state of a stream during a race.
type situation struct {
	next          int    // index of the next chunk of the log
	truncated     bool   // the removal was
	status        Status // of the stream at that moment
	count, doomed int    // chunks that are stored, and those of them that the removal takes
	latest        int64  // the highest id that is known
	sure          bool   // it is that of the last chunk
	zero          bool   // nothing was written since a reset
}

// begin returns the situation before the race.
func (r *Race) begin() situation {
	st := situation{status: r.s.status, zero: r.s.log.epoch > 0 && r.s.log.isEmpty()}
	for _, c := range r.s.log.chunks {
		if c.removedBy == 0 {
			if st.count++; r.removal.removes(c) {
				st.doomed++
			}
		}
	}
	st.latest, st.sure = r.s.log.highest()
	return st
}

// attempt is an operation for the checker: a chunk, another call, one member of a StreamInfo, or the status after the race.
type attempt struct {
	call  Call       // to which the operation belongs
	chunk *Chunk     // of a write; nil for any other operation
	about string     // "status", "latest" or "count"
	info  streamInfo // of an about; zero for any other operation
	last  bool       // the status after the race
}

// after returns the situation after an operation; possible reports whether its answer fits.
func (r *Race) after(st situation, a attempt) (next situation, possible bool) {
	switch {
	case a.last:
		return st, st.status == r.outcome()
	case a.about == "status":
		return st, *a.info.Status == st.status
	case a.about == "count":
		return st, *a.info.ChunkCount == float64(st.count)
	case a.about == "latest":
		got := int64(*a.info.LatestSequence)
		return st, got == st.latest && st.sure || !st.sure && got >= st.latest || st.zero && got == 0
	case a.chunk != nil:
		return r.written(st, a.chunk)
	case a.call.Chunks != nil: // refused
		return st, st.status != Active || st.truncated && r.removal.Resets
	case a.call.Truncates:
		st.truncated, st.count, st.doomed, st.zero = true, st.count-st.doomed, 0, r.removal.Resets
		return st, true
	case st.status == Active:
		st.status = a.call.Terminal
		return st, a.call.Accepted
	}
	return st, true // a second terminal call, refused or not, changes nothing
}

// outcome returns the status after the race.
func (r *Race) outcome() Status {
	if r.finish.Accepted {
		return r.finish.Terminal
	}
	return Active
}

func (r *Race) written(st situation, c *Chunk) (situation, bool) {
	position := r.order[c]
	if st.status != Active || position.index >= 0 && position.index != st.next || position.doomed && st.truncated != position.stays {
		return st, false
	}
	if st.count++; position.doomed && !position.stays {
		st.doomed++
	}
	if st.sure, st.zero = position.index >= 0, false; st.sure {
		st.next++
		st.latest = position.id
	}
	return st, true
}

// longest bounds the search for an order. A search that takes longer finds no violation.
const longest = 2 * time.Second

// linearizable searches an order of the calls: first of those that write the log, and then of each StreamInfo among them.
// Each member of a StreamInfo is a separate operation: no requirement makes the three consistent with each other.
func (r *Race) linearizable() error {
	rules := map[string]string{"status": "helix.status.transitions", "latest": "helix.status.latest", "count": "helix.status.count"}
	if r.removal.Accepted {
		rules["latest"], rules["count"] = "helix.truncation.latest-kept", "helix.truncation.count-after"
	}
	writes := func(a attempt) bool { return a.chunk != nil || a.call.Truncates }
	ends := func(a attempt) bool { return a.call.Terminal != "" || a.last }
	for _, stage := range []struct {
		rule, message string
		has           func(a attempt) bool
	}{
		{"helix.ordering.total-order", "a chunk was written before another one was, and has a greater sequence", writes},
		{"helix.lifecycle.first-terminal-wins", "the terminal call that was answered before the other one began doesn't decide", ends},
		{"helix.lifecycle.write-after-end", "a write was accepted that began when the stream had finished", func(a attempt) bool { return writes(a) || ends(a) }},
		{"helix.lifecycle.many-writers", "a write was refused though the stream had not finished", func(a attempt) bool { return a.about == "" }},
		{rules["status"], "StreamInfo has a status that the stream didn't have while it was asked", func(a attempt) bool { return a.about == "status" || ends(a) }},
		{rules["latest"], "StreamInfo has a latestSequence that the stream didn't have while it was asked", func(a attempt) bool { return a.about == "latest" || writes(a) }},
		{rules["count"], "StreamInfo has a chunkCount that the stream didn't have while it was asked", func(a attempt) bool { return a.about == "count" || writes(a) }},
	} {
		operations, err := r.operations(stage.has)
		if err != nil {
			return err
		}
		if porcupine.CheckOperationsTimeout(r.sequential(), operations, longest) == porcupine.Illegal {
			return model.Violated(stage.rule, "an order of the calls in which each is answered as it was", "none", "%s", stage.message)
		}
		r.s.Occasions.Saw(stage.rule)
	}
	return nil
}

// sequential returns the stream as a model for the checker.
func (r *Race) sequential() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return r.begin() },
		Step: func(state, input, _ any) (bool, any) {
			next, possible := r.after(state.(situation), input.(attempt))
			return possible, next
		},
	}
}

// operations returns those of a stage. Each chunk is one: a reader may see a part of an array.
func (r *Race) operations(has func(attempt) bool) ([]porcupine.Operation, error) {
	var out []porcupine.Operation
	end := int64(0)
	add := func(client int, c Call, a attempt) {
		if end = max(end, c.Answered); has(a) {
			out = append(out, porcupine.Operation{ClientId: client, Input: a, Call: c.Started, Return: c.Answered})
		}
	}
	for i, c := range r.calls {
		switch {
		case c.Info != nil:
			info, err := readInfo(200, c.Info)
			if err != nil {
				return nil, err
			}
			for _, about := range []string{"status", "latest", "count"} {
				add(i, c, attempt{call: c, info: info, about: about})
			}
		case c.Chunks != nil && c.Accepted:
			for _, chunk := range c.Chunks {
				add(i, c, attempt{call: c, chunk: chunk})
			}
		default:
			add(i, c, attempt{call: c})
		}
	}
	add(len(r.calls), Call{Started: end + 1, Answered: end + 2}, attempt{last: true})
	return out, nil
}
