package helix

import (
	"context"
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// Producer identifies the writer of a chunk.
type Producer struct{ runtime.Writer }

// Child reports whether a chunk is of another agent than the session's.
func (p *Producer) Child(c runtime.Chunk) bool { return c.AgentID() != p.Session }

// Writing selects chunks that runs write to a stream.
type Writing = alter.When[*Producer, runtime.Chunk]

// Produced selects the chunks of runs that a condition matches.
type Produced struct {
	alter.Choice[helix.Options, *Producer, runtime.Chunk]
}

// Written selects the chunks of runs for which all conditions hold.
func Written(when ...Writing) Produced {
	return Produced{alter.Flow[helix.Options, *Producer, runtime.Chunk](OnWritten).When(when...)}
}

// OnWritten changes the chunks of runs. begin is called once for each stream and returns the function that maps each chunk
// to none, one or several. The sequence of a chunk is that of the last one that replaces it or comes before.
func OnWritten(begin func(p *Producer) func(c runtime.Chunk) []runtime.Chunk) Apply {
	return onAppended(func(p *Producer) func([]runtime.Chunk) ([]runtime.Chunk, []int) {
		change := begin(p)
		return func(chunks []runtime.Chunk) (changed []runtime.Chunk, ends []int) {
			for _, chunk := range chunks {
				changed = append(changed, change(chunk)...)
				ends = append(ends, len(changed))
			}
			return changed, ends
		}
	})
}

// OnAppended changes the chunks of one append of a run. begin is called once for each stream.
func OnAppended(begin func(p *Producer) func(chunks []runtime.Chunk) []runtime.Chunk) Apply {
	return onAppended(func(p *Producer) func([]runtime.Chunk) ([]runtime.Chunk, []int) {
		change := begin(p)
		return func(chunks []runtime.Chunk) (changed []runtime.Chunk, ends []int) {
			asked := len(chunks)
			changed = change(chunks)
			for i := range asked { // delayed chunks come first
				ends = append(ends, min(len(changed), i+1+max(0, len(changed)-asked)))
			}
			return changed, ends
		}
	})
}

// onAppended changes the chunks of one append of a run; ends are the numbers of chunks that are written up to each original
// one.
func onAppended(begin func(p *Producer) func(chunks []runtime.Chunk) (changed []runtime.Chunk, ends []int)) Apply {
	type course struct {
		producer Producer
		change   func([]runtime.Chunk) ([]runtime.Chunk, []int)
	}
	return OnJournal(func(inner runtime.Journal, j *Journal) {
		var streams alter.PerKey[*course]
		j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
			var c *course
			streams.With(w.Stream, func(p **course) {
				if *p == nil {
					*p = &course{producer: Producer{w}}
					(*p).change = begin(&(*p).producer)
				}
				c = *p // calls for one session come one after the other
			})
			c.producer.Writer = w
			changed, ends := c.change(chunks)
			if len(changed) == 0 {
				return nil, nil
			}
			written, err := inner.Append(ctx, w, changed)
			if err != nil || len(written) == 0 {
				return written, err
			}
			sequences := make([]int64, 0, len(ends))
			for _, end := range ends {
				sequences = append(sequences, written[max(0, end-1)])
			}
			return sequences, nil
		}
	})
}

// With changes each chunk itself, not a copy.
func (p Produced) With(change func(c runtime.Chunk)) Apply {
	return p.Edit(func(c *runtime.Chunk) { change(*c) })
}

// Copied writes a copy after each.
func (p Produced) Copied() Apply {
	return p.Follow(func(_ *Producer, c runtime.Chunk) []runtime.Chunk { return []runtime.Chunk{c.Clone()} })
}

// By changes each chunk itself, and gets its writer.
func (p Produced) By(change func(by *Producer, c runtime.Chunk)) Apply {
	return p.EditIn(func(by *Producer, c *runtime.Chunk) { change(by, *c) })
}

// BySequence changes each chunk itself, with state for a stream: begin is called once for each stream.
func (p Produced) BySequence(begin func(by *Producer) func(c runtime.Chunk)) Apply {
	return p.EditSequence(func(by *Producer) func(*runtime.Chunk) {
		change := begin(by)
		return func(c *runtime.Chunk) { change(*c) }
	})
}

// Set gives a member a value.
func (p Produced) Set(member string, value any) Apply {
	return p.With(func(c runtime.Chunk) { c[member] = value })
}

// Copy gives a member the value of another.
func (p Produced) Copy(member, from string) Apply {
	return p.With(func(c runtime.Chunk) { c[member] = c[from] })
}

// Add adds to a member that is a number.
func (p Produced) Add(member string, more int) Apply {
	return p.With(func(c runtime.Chunk) {
		switch n := c[member].(type) {
		case int:
			c[member] = n + more
		case int64:
			c[member] = max(0, n+int64(more))
		}
	})
}

// Stick gives a member of each the value that it had in the first of the stream, or in the first with the same texts in
// other members.
func (p Produced) Stick(member string, per ...string) Apply {
	return p.BySequence(func(*Producer) func(runtime.Chunk) {
		first := map[string]any{}
		return func(c runtime.Chunk) {
			key := texts(c, per)
			if value := first[key]; value != nil {
				c[member] = value
			}
			first[key] = c[member]
		}
	})
}

// Lag gives a member of each the value that it had in the one before.
func (p Produced) Lag(member string) Apply {
	return p.BySequence(func(*Producer) func(runtime.Chunk) {
		var last any
		return func(c runtime.Chunk) {
			now := c[member]
			if last != nil {
				c[member] = last
			}
			last = now
		}
	})
}

// Recall gives a member of each the value of a member of the last chunk before it that others mean, if there was one.
func (p Produced) Recall(member string, others Writing, from string) Apply {
	return p.EditBy(others, func(c *runtime.Chunk, last runtime.Chunk) { (*c)[member] = last[from] })
}

// Remove takes members away.
func (p Produced) Remove(members ...string) Apply {
	return p.With(func(c runtime.Chunk) {
		for _, member := range members {
			delete(c, member)
		}
	})
}

// AsRoot writes each in the name of the session's root agent.
func (p Produced) AsRoot() Apply {
	return p.By(func(by *Producer, c runtime.Chunk) { c["agentId"] = by.Session })
}

// FollowWith writes a chunk of another type after each, with the same agent and step.
func (p Produced) FollowWith(kind string, members runtime.Chunk) Apply {
	return p.Follow(func(_ *Producer, c runtime.Chunk) []runtime.Chunk { return []runtime.Chunk{Like(c, kind, members)} })
}

// Any matches every chunk.
func Any() Writing { return alter.And[*Producer, runtime.Chunk]() }

// If returns a condition on single chunks.
func If(hit func(c runtime.Chunk) bool) Writing { return alter.Each[*Producer](hit) }

// Type matches chunks of some types.
func Type(types ...string) Writing {
	return If(func(c runtime.Chunk) bool { return slices.Contains(types, c.Type()) })
}

// Is matches chunks in which a member has a value that can be compared.
func Is(member string, value any) Writing {
	return If(func(c runtime.Chunk) bool { return c[member] == value })
}

// Has matches chunks that have a member, null or not.
func Has(member string) Writing {
	return If(func(c runtime.Chunk) bool {
		_, there := c[member]
		return there
	})
}

// Per evaluates w separately for each value of a member.
func Per(member string, w Writing) Writing {
	return alter.Per(func(c runtime.Chunk) string { return fmt.Sprint(c[member]) }, w)
}

// AfterStep matches chunks of the steps after one, which is counted from 1.
func AfterStep(n int) Writing {
	return If(func(c runtime.Chunk) bool {
		step, _ := c.Step()
		return step > n
	})
}

// FailedCall matches the ends of calls that failed.
func FailedCall() Writing { return Type("tool_end").And(Is("success", false)) }

// WorkedCall matches the ends of calls that didn't fail.
func WorkedCall() Writing { return Type("tool_end").And(Is("success", false).Not()) }

// ByChild matches chunks of sub-agents.
func ByChild() Writing { return func(p *Producer) func(runtime.Chunk) bool { return p.Child } }

// Like makes a chunk of another type with the agent, step and session of c.
func Like(c runtime.Chunk, kind string, members runtime.Chunk) runtime.Chunk {
	made := runtime.Chunk{"type": kind}
	for _, name := range []string{"agentId", "agentType", "timestamp", "step"} {
		if value, there := c[name]; there {
			made[name] = value
		}
	}
	for name, value := range members {
		made[name] = value
	}
	return made
}

// texts joins members that are strings to one key.
func texts(c runtime.Chunk, members []string) (key string) {
	for _, member := range members {
		key += Text(c, member) + "\x00"
	}
	return key
}

// Text returns a member that is a string; empty if it isn't one.
func Text(c runtime.Chunk, member string) string {
	text, _ := c[member].(string)
	return text
}
