package merlin

import (
	"maps"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/merlin"
)

// Object is a decoded JSON object.
type Object = map[string]any

// If matches events one by one, without state.
func If(hit func(e merlin.Event) bool) When { return alter.Each[*merlin.RunState](hit) }

// Any matches every event.
func Any() When { return alter.And[*merlin.RunState, merlin.Event]() }

// Named matches events of a name.
func Named(name string) When { return If(func(e merlin.Event) bool { return e.Name == name }) }

// Typed matches messages of version 2 of a type.
func Typed(kind string) When {
	return If(func(e merlin.Event) bool { return e.Name == merlin.Message && e.Data["type"] == kind })
}

// Slices matches messages of version 1.
func Slices() When {
	return If(func(e merlin.Event) bool { return e.Name == merlin.Message && e.Data["type"] == nil })
}

// TextMatches matches slices and texts by their text.
func TextMatches(hit func(text string) bool) When {
	return If(func(e merlin.Event) bool { return e.Name == merlin.Message && hit(Text(e)) })
}

// Results matches results of tools: pieces of them, or complete ones.
func Results(complete bool) When {
	return Typed("toolCallResult").And(If(func(e merlin.Event) bool {
		_, is := e.Data["contentIndex"]
		return is == complete
	}))
}

// Steps selects the events of a step, in either version, with the given status if it isn't "".
func Steps(status string) When {
	return If(func(e merlin.Event) bool {
		st := Step(e)
		return st != nil && (status == "" || st["status"] == status)
	})
}

// Headings matches the title of a manager, in either version.
func Headings() When {
	return If(func(e merlin.Event) bool {
		progress, _ := e.Data["progress"].(Object)
		return e.Data["metadata"] != nil || progress != nil && progress["steps"] == nil
	})
}

// For matches every event of some streams.
func For(hit func(c *merlin.RunState) bool) When {
	return alter.In[*merlin.RunState, merlin.Event](hit)
}

// Version matches every event of the streams of a version.
func Version(n int) When { return For(func(c *merlin.RunState) bool { return c.Version == n }) }

// Now matches as long as a stream is in some state.
func Now(hit func(c *merlin.RunState) bool) When {
	return func(c *merlin.RunState) func(merlin.Event) bool {
		return func(merlin.Event) bool { return hit(c) }
	}
}

// Text returns the text of a message event.
func Text(e merlin.Event) string {
	if text, ok := e.Data["text"].(string); ok {
		return text
	}
	text, _ := e.Data["content"].(string)
	return text
}

// Step returns the step that an event shows, nil if it shows none.
func Step(e merlin.Event) Object {
	if payload, ok := e.Data["payload"].(Object); ok && payload["status"] != nil {
		return payload
	}
	progress, _ := e.Data["progress"].(Object)
	step, _ := progress["steps"].(Object)
	return step
}

// OnSteps changes the step that events show.
func OnSteps(status string, change func(step Object)) Apply {
	return Events(Steps(status)).Edit(func(e *merlin.Event) { change(Step(*e)) })
}

// Set gives events a member, in a copy of their data.
func Set(name string, value any) func(*merlin.Event) {
	return func(e *merlin.Event) {
		e.Data = maps.Clone(e.Data)
		e.Data[name] = value
	}
}

// Unset takes members away, in a copy of the data.
func Unset(names ...string) func(*merlin.Event) {
	return func(e *merlin.Event) {
		e.Data = maps.Clone(e.Data)
		for _, name := range names {
			delete(e.Data, name)
		}
	}
}
