package aep

// Restart records that the server was killed and started again. Every active request has ended.
func (w *World) Restart() { w.restarts++ }

// Die records that the server was killed while it answered the request. The sent part is valid; it is unknown whether the
// request was accepted, and how far its run came.
func (t *Turn) Die() error {
	t.dead = true
	return t.Disconnect()
}
