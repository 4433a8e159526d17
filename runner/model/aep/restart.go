package aep

// Restart tells that the server was killed and started again. Every request that was being answered has died.
func (w *World) Restart() { w.lives++ }

// Die tells that the server was killed while it answered the request. What was sent is right; whether the request was taken,
// and how far its run came, nobody knows.
func (t *Turn) Die() error {
	t.dead = true
	return t.Cut()
}
