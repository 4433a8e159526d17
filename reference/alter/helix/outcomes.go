package helix

import (
	"context"
	"encoding/json"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/runtime"
)

// Outcome is the terminal event with which a run ends its stream.
type Outcome struct {
	Failed        bool
	Output        json.RawMessage // of a successful run; nil if it returned nothing
	Message, Code string          // of a failed run
}

// OutcomeChoice are the outcomes of some runs.
type OutcomeChoice struct{ when []Writing }

// Outcomes selects the outcomes of the runs that have written a chunk for which all conditions hold; without any, of every
// run.
func Outcomes(when ...Writing) OutcomeChoice { return OutcomeChoice{when} }

// End lets those runs that fail end their streams as if they were done, without an output.
func (c OutcomeChoice) End() Apply {
	return c.Edit(func(o *Outcome) {
		if o.Failed {
			*o = Outcome{}
		}
	})
}

// Fail lets those runs that are done fail their streams.
func (c OutcomeChoice) Fail(message, code string) Apply {
	return c.Edit(func(o *Outcome) {
		if !o.Failed {
			*o = Outcome{Failed: true, Message: message, Code: code}
		}
	})
}

// Edit changes each.
func (c OutcomeChoice) Edit(change func(o *Outcome)) Apply {
	return c.EditBy(func(o *Outcome, _ runtime.Chunk) { change(o) })
}

// EditBy changes each; last is the last chunk for which the conditions hold, nil without conditions.
func (c OutcomeChoice) EditBy(change func(o *Outcome, last runtime.Chunk)) Apply {
	return OnJournal(func(inner runtime.Journal, j *Journal) {
		var last alter.PerKey[runtime.Chunk] // by stream
		meets := Noting(alter.And(c.when...))
		if len(c.when) > 0 {
			j.Note(func(w runtime.Writer, chunk runtime.Chunk) {
				if meets(w, chunk) {
					last.Set(w.Stream, chunk)
				}
			})
		}
		finish := func(ctx context.Context, w runtime.Writer, o Outcome) error {
			if chunk := last.Get(w.Stream); chunk != nil || len(c.when) == 0 {
				change(&o, chunk)
			}
			if o.Failed {
				return inner.Fail(ctx, w, o.Message, o.Code)
			}
			return inner.End(ctx, w, o.Output)
		}
		j.OnEnd = func(ctx context.Context, w runtime.Writer, output json.RawMessage) error {
			return finish(ctx, w, Outcome{Output: output})
		}
		j.OnFail = func(ctx context.Context, w runtime.Writer, message, code string) error {
			return finish(ctx, w, Outcome{Failed: true, Message: message, Code: code})
		}
	})
}

// Noting returns a function that reports whether a condition matches a chunk. It has a state for each stream, and must be
// called with every chunk.
func Noting(when Writing) func(w runtime.Writer, c runtime.Chunk) bool {
	type course struct {
		producer Producer
		hit      func(runtime.Chunk) bool
	}
	var streams alter.PerKey[course]
	return func(w runtime.Writer, c runtime.Chunk) (hit bool) {
		streams.With(w.Stream, func(s *course) {
			s.producer.Writer = w
			if s.hit == nil {
				s.hit = when(&s.producer)
			}
			hit = s.hit(c)
		})
		return hit
	}
}
