package target

import (
	"net/http"

	"github.com/streamcert/streamcert/runner/record"
)

// Close cuts every reader and deletes the session's streams where the server
// lets us. The record stays readable.
func (s *Session) Close() {
	for _, r := range s.attached() {
		r.Disconnect()
	}
	if s.target.Model() != nil {
		s.forgetScripts()
	}
	// The next request to a replica that doesn't come back fails.
	_ = s.revive()
	s.replica.Store(0)
	for _, id := range s.Streams() {
		if !s.target.Scripts() {
			break
		}
		e := s.newExchange(record.Control)
		e.Hidden = true
		// A server that can't delete keeps the stream; ids are never reused.
		_ = s.control(s.caller, e, http.MethodDelete, "/streams/"+EscapeSegment(id), nil)
	}
	s.stop()
	s.cancel()
	if !s.callerReleases.Load() {
		s.yield()
	}
}

// Forget removes an ended reader from the record, to save memory when a scenario cuts thousands of connections.
func (s *Session) Forget(r *Reader) {
	r.Disconnect()
	s.ForgetCall(r.Exchange)
	s.dropReader(r)
	s.credit(r.Now().Frames)
}
