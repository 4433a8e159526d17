package aep

import "slices"

// What follows names the requirement that something lasts by: that of a restart where the server was killed in between, that
// of replicas where another one is asked, and that of its chapter otherwise.

// served returns the requirement that a request without results is served by.
func (t *Thread) served(turn *Turn) string {
	taken := func(of func(other *Turn) bool) bool {
		return turn.named && slices.ContainsFunc(t.turns, func(other *Turn) bool { return other.taken && of(other) })
	}
	switch {
	case taken(func(other *Turn) bool { return other.restarts < t.world.restarts }):
		return "aep.durable.threads"
	case taken(func(other *Turn) bool { return other.Replica != turn.Replica }):
		return "aep.replicas.threads"
	}
	return "aep.request.post"
}

// ofAnother returns the requirement that another user is refused by.
func (t *Thread) ofAnother(turn *Turn) string {
	for _, other := range t.turns {
		if other.taken {
			if other.Replica != turn.Replica {
				return "aep.replicas.foreign"
			}
			break
		}
	}
	return "aep.threads.foreign"
}

// remembered returns the requirement that the result of the action is taken by.
func (a *Action) remembered(of *Turn, otherwise string) string {
	switch {
	case a.openedAfter < a.Thread.world.restarts:
		return "aep.durable.open"
	case a.openedBy != of.Replica:
		return "aep.replicas.open"
	}
	return otherwise
}

// spent returns the requirement that a further result of the action is refused by.
func (a *Action) spent(of *Turn) string {
	switch {
	case a.state == resolved && a.resolved < a.Thread.world.restarts:
		return "aep.durable.resolved"
	case a.answeredBy != of.Replica:
		return "aep.replicas.resolved"
	}
	return "aep.actions.resolved"
}
