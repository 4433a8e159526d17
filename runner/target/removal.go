package target

// Removed notes that chunks of a stream were removed: what a reader that
// attaches from now on is sent needn't end at the latest sequence.
func (b *belongings) Removed(stream string) {
	b.mu.Lock()
	b.removed[stream] = true
	b.mu.Unlock()
}

// HasRemoved reports whether chunks of the stream were removed, as Removed was told.
func (b *belongings) HasRemoved(stream string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.removed[stream]
}
