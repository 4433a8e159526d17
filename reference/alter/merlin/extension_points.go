package merlin

import (
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/merlin"
)

// Apply changes the options of a server.
type Apply = func(merlin.Options) merlin.Options

// flow is a field of the options that maps items of a stream.
type flow[T any] = func(*merlin.RunState) func(T) []T

// on applies a change after the function of a field.
func on[T any](field func(o *merlin.Options) *flow[T]) alter.Flow[merlin.Options, *merlin.RunState, T] {
	return func(change alter.Change[*merlin.RunState, T]) Apply {
		return func(o merlin.Options) merlin.Options {
			inner := *field(&o)
			*field(&o) = func(c *merlin.RunState) func(T) []T {
				before, after := inner(c), change(c)
				return func(item T) (out []T) {
					for _, one := range before(item) {
						out = append(out, after(one)...)
					}
					return out
				}
			}
			return o
		}
	}
}

// Selections of the items of a stream.
type (
	EventChoice = alter.Choice[merlin.Options, *merlin.RunState, merlin.Event]
	DeltaChoice = alter.Choice[merlin.Options, *merlin.RunState, merlin.Delta]
	StepChoice  = alter.Choice[merlin.Options, *merlin.RunState, merlin.Instruction]
	When        = alter.When[*merlin.RunState, merlin.Event]
)

// Events selects the events of a stream for which all conditions hold, before they become bytes.
func Events(when ...When) EventChoice {
	return on(func(o *merlin.Options) *flow[merlin.Event] { return &o.Events }).When(when...)
}

// Deltas selects the model's events that hit matches; nil: all.
func Deltas(hit func(d merlin.Delta) bool) DeltaChoice {
	f := on(func(o *merlin.Options) *flow[merlin.Delta] { return &o.Deltas })
	if hit == nil {
		return f.When()
	}
	return f.When(alter.Each[*merlin.RunState](hit))
}

// ScriptSteps selects the steps of a script that hit matches.
func ScriptSteps(hit func(a merlin.Instruction) bool) StepChoice {
	return on(func(o *merlin.Options) *flow[merlin.Instruction] { return &o.Instructions }).When(alter.Each[*merlin.RunState](hit))
}

// Pieces selects the pieces of bytes that come from the model.
func Pieces() alter.Choice[merlin.Options, *merlin.RunState, []byte] {
	return on(func(o *merlin.Options) *flow[[]byte] { return &o.Pieces }).When()
}

// Frames selects the bytes of the events of a stream for which all conditions hold.
func Frames(when ...When) alter.Frames[merlin.Options, *merlin.RunState, merlin.Event] {
	return alter.Wire[merlin.Options, *merlin.RunState, merlin.Event](func(change func(*merlin.RunState) func([]byte, merlin.Event) []byte) Apply {
		return func(o merlin.Options) merlin.Options {
			inner := o.Encoder
			o.Encoder = func(c *merlin.RunState) merlin.Encoder {
				encode, after := inner(c), change(c)
				return alter.Encoder[merlin.Event](func(dst []byte, e merlin.Event) []byte {
					return append(dst, after(encode.Append(nil, e), e)...)
				})
			}
			return o
		}
	}).When(when...)
}

// Heads changes the head of a stream.
func Heads(change func(h http.Header)) Apply {
	return func(o merlin.Options) merlin.Options {
		inner := o.Head
		o.Head = func(h http.Header) {
			inner(h)
			change(h)
		}
		return o
	}
}

// Totals changes the aggregate of a stream.
func Totals(change func(c *merlin.RunState, total *merlin.Aggregate)) Apply {
	return func(o merlin.Options) merlin.Options {
		inner := o.Aggregated
		o.Aggregated = func(c *merlin.RunState, total *merlin.Aggregate) {
			inner(c, total)
			change(c, total)
		}
		return o
	}
}

// Index replaces the index under which a V2 stream begins.
func Index(choose func(s merlin.Start) int) Apply {
	return func(o merlin.Options) merlin.Options {
		o.Index = choose
		return o
	}
}

// Begins changes the initial state of a stream.
func Begins(change func(c *merlin.RunState)) Apply {
	return func(o merlin.Options) merlin.Options {
		inner := o.Begin
		o.Begin = func(c *merlin.RunState) {
			inner(c)
			change(c)
		}
		return o
	}
}

// Speaks replaces which events of the model are sent as text in version 2.
func Speaks(hit func(d merlin.Delta) bool) Apply {
	return func(o merlin.Options) merlin.Options {
		o.Speaks = hit
		return o
	}
}

// Sizes replaces how many characters the first slice has, and those after it.
func Sizes(first int, next func(waiting int) int) Apply {
	return func(o merlin.Options) merlin.Options {
		o.First, o.Size = first, next
		return o
	}
}

// Aggregates changes the aggregates as they are shown.
func Aggregates(change func(total alter.Object)) alter.Around {
	shows := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/aggregate") }
	return alter.AnswersTo(shows).Body(func(whole []byte) []byte {
		total := alter.Members(whole)
		if total == nil {
			return whole
		}
		change(total)
		return alter.Encode(total)
	})
}
