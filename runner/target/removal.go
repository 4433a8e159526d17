package target

// Removed records that chunks of a stream were removed: the last chunk that a later reader receives needn't have the latest
// sequence.
func (b *belongings) Removed(stream string) {
	b.mu.Lock()
	b.removed[stream] = true
	b.mu.Unlock()
}

// HasRemoved reports whether Removed was called for the stream.
func (b *belongings) HasRemoved(stream string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.removed[stream]
}
