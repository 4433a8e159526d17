package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
)

// When selects events of a response.
type When = alter.When[aep.Request, aep.Event]

// Events selects the events of a response for which all conditions hold, before they become bytes.
func Events(when ...When) alter.Choice[aep.Options, aep.Request, aep.Event] {
	return alter.Flow[aep.Options, aep.Request, aep.Event](OnJournal).When(when...)
}

// Frames selects the bytes of the events of a response for which all conditions hold.
func Frames(when ...When) alter.Frames[aep.Options, aep.Request, aep.Event] {
	return alter.Wire[aep.Options, aep.Request, aep.Event](OnBytes).When(when...)
}

// Any matches every event.
func Any() When { return alter.And[aep.Request, aep.Event]() }

// If returns a condition on single events.
func If(hit func(e aep.Event) bool) When { return alter.Each[aep.Request](hit) }

// Kind matches events of a kind, and of a stage where some are given.
func Kind(kind aep.Kind, stages ...aep.Stage) When {
	return If(func(e aep.Event) bool {
		return e.Kind == kind && (len(stages) == 0 || slices.Contains(stages, e.Stage))
	})
}

// Stage matches events of a stage, of any kind.
func Stage(stage aep.Stage) When {
	return If(func(e aep.Event) bool { return e.Kind.Staged() && e.Stage == stage })
}

// Staged matches events that are parts of a block.
func Staged() When { return If(func(e aep.Event) bool { return e.Kind.Staged() }) }

// Terminal matches the last event of a response.
func Terminal() When { return If(func(e aep.Event) bool { return e.Kind.Terminal() }) }

// Failure matches error events, and those with certain codes where some are given.
func Failure(codes ...string) When {
	return If(func(e aep.Event) bool {
		return e.Kind == aep.Failed && (len(codes) == 0 || slices.Contains(codes, e.Code))
	})
}

// FailedTool matches the stop of the outcome of a tool that failed.
func FailedTool() When {
	return Kind(aep.ToolResult, aep.Stop).And(If(func(e aep.Event) bool { return e.Block.Status == "error" }))
}

// LaterBlocks matches from the start of a response's second block on.
func LaterBlocks() When { return Any().Since(Stage(aep.Start).Nth(2)) }

// Spoken matches from the first event of a response on that is part of a block.
func Spoken() When { return Any().Since(Staged()) }

// Resumed matches in responses to the results of actions.
func Resumed() When { return ForRequests(func(r aep.Request) bool { return len(r.Body.Results) > 0 }) }

// ForRequests matches every event of the responses to some requests.
func ForRequests(hit func(r aep.Request) bool) When { return alter.In[aep.Request, aep.Event](hit) }

// Fail makes an event a failure of a code.
func Fail(code, message string) func(*aep.Event) {
	return func(e *aep.Event) {
		e.Kind, e.Code, e.Message = aep.Failed, code, message
		e.Retryable = code == "internal_error" || code == "stream_timeout"
	}
}

// Recode makes a failure one of another code, with the message that it has.
func Recode(code string) func(*aep.Event) { return func(e *aep.Event) { Fail(code, e.Message)(e) } }

// Done returns the event that ends a response as if nothing had gone wrong, at the time of another event.
func Done(r aep.Request, e aep.Event, content ...aep.Block) aep.Event {
	return aep.Event{Kind: aep.Done, RequestID: r.ID, MessageID: r.Message, ThreadID: r.Thread, Content: content,
		FinishReason: "stop", Timestamp: e.Timestamp}
}

// Content changes a copy of the blocks that done lists.
func Content(change func(blocks []aep.Block) []aep.Block) Apply {
	return Events(Kind(aep.Done)).Edit(func(e *aep.Event) { e.Content = change(slices.Clone(e.Content)) })
}

// Blocks changes each block of a kind that done lists.
func Blocks(kind aep.Kind, change func(b *aep.Block)) Apply {
	return Content(func(blocks []aep.Block) []aep.Block {
		for i := range blocks {
			if blocks[i].Kind == kind {
				change(&blocks[i])
			}
		}
		return blocks
	})
}

// ContentMembers changes the members of each block that done lists.
func ContentMembers(change func(block alter.Object)) Apply {
	return Frames(Kind(aep.Done)).Members(func(o alter.Object, _ aep.Event) { o.Each("content", change) })
}

// FinishReason replaces the finish reason of done, where conditions hold.
func FinishReason(reason string, when ...When) Apply {
	return Events(append(when, Kind(aep.Done))...).Edit(func(e *aep.Event) { e.FinishReason = reason })
}
