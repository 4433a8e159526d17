package store

import "context"

// byWriter is the key of a context that names a writer.
type byWriter struct{}

// By returns a context in whose calls a writer finishes, pauses and cleans up its stream. After the writer is closed, they
// are refused with ErrWriterClosed like its writes, so that closing the writer of another process fences it off.
func By(ctx context.Context, writer string) context.Context {
	return context.WithValue(ctx, byWriter{}, writer)
}

// WriterOf returns the writer that a context names, "" for none.
func WriterOf(ctx context.Context) string {
	writer, _ := ctx.Value(byWriter{}).(string)
	return writer
}

// changeBy is change, in the name of whom the context names.
func (m *Memory) changeBy(ctx context.Context, name string, f func(*stream) error) error {
	return m.change(name, func(s *stream) error {
		if open, known := s.writers[WriterOf(ctx)]; known && !open {
			return ErrWriterClosed
		}
		return f(s)
	})
}
