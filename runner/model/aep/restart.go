package aep

// Restart tells that the server was killed and started again. Every request that was being answered has died.
func (w *World) Restart() { w.lives++ }

// Die tells that the server was killed while it answered the request. What was sent is right; whether the request was taken,
// and how far its run came, nobody knows.
func (t *Turn) Die() error {
	t.dead = true
	return t.Cut()
}

// served is the requirement that a request without results is served by.
func (t *Turn) served() string {
	for _, turn := range t.thread.turns {
		if t.named && turn.taken && turn.life < t.thread.world.lives {
			return "aep.durable.threads"
		}
	}
	return "aep.request.post"
}

// remembered is the requirement that the result of the action is taken by, another one if it was opened in this life.
func (a *Action) remembered(otherwise string) string {
	if a.life < a.Thread.world.lives {
		return "aep.durable.open"
	}
	return otherwise
}

// spent is the requirement that a further result of the action is refused by.
func (a *Action) spent() string {
	if a.state == resolved && a.resolved < a.Thread.world.lives {
		return "aep.durable.resolved"
	}
	return "aep.actions.resolved"
}

// resolvedNow notes in which life an action was resolved.
func (t *Thread) resolvedNow(id string) {
	for _, a := range t.actions {
		if a.ID == id {
			a.resolved = t.world.lives
		}
	}
}

// remembered is the requirement that what was said in the turn is in the history by.
func (t *Turn) remembered() string {
	if t.life < t.thread.world.lives {
		return "aep.durable.history"
	}
	return "aep.threads.history"
}
