package target

// Removed notes that chunks of a stream were removed: what a reader that
// attaches from now on is sent needn't end at the latest sequence.
func (s *Session) Removed(stream string) {
	s.mu.Lock()
	s.removed[stream] = true
	s.mu.Unlock()
}

// HasRemoved reports whether chunks of the stream were removed, as [Session.Removed] was told.
func (s *Session) HasRemoved(stream string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.removed[stream]
}
