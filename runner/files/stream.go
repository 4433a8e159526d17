package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Stream opens a file, which may be a pipe or a device. The end of ctx ends the wait for a pipe's writer, and every read.
// The error is one of the file system, an *IrregularError for a folder, or the cause of ctx.
func Stream(ctx context.Context, name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: &IrregularError{"folder"}}
	}
	if info.Mode().IsRegular() {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		return &stream{ctx: ctx, file: f}, nil
	}
	f, err := InTime(ctx, func() (*os.File, error) { return os.Open(name) })
	if err != nil {
		return nil, err
	}
	return &stream{ctx: ctx, file: f, waits: true}, nil
}

// Waiting makes the end of ctx end every read of r, which may wait for its writer.
func Waiting(ctx context.Context, r io.Reader) io.ReadCloser {
	return &stream{ctx: ctx, file: io.NopCloser(r), waits: true}
}

// InTime returns the result of f, or ctx's error once ctx has ended; f may run on until the program ends.
func InTime[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// stream is an open file.
type stream struct {
	ctx       context.Context
	file      io.ReadCloser
	waits     bool // for a writer, so that a read may take any time
	remaining []byte
}

// bufferSize is the size of a read from a source that waits for its writer.
const bufferSize = 64 << 10

// Read implements io.Reader.
func (r *stream) Read(p []byte) (int, error) {
	if err := context.Cause(r.ctx); err != nil {
		return 0, err
	}
	if !r.waits {
		return r.file.Read(p)
	}
	if len(r.remaining) == 0 {
		got, err := InTime(r.ctx, func() ([]byte, error) {
			b := make([]byte, bufferSize) // its own: a read that is given up may still fill it
			n, err := r.file.Read(b)
			return b[:n], err
		})
		r.remaining = got
		if err != nil && (len(got) == 0 || !errors.Is(err, io.EOF)) {
			return 0, err
		}
	}
	n := copy(p, r.remaining)
	r.remaining = r.remaining[n:]
	return n, nil
}

// Close implements io.Closer. A read that was given up keeps the file open.
func (r *stream) Close() error {
	if r.waits && r.ctx.Err() != nil {
		return nil
	}
	return r.file.Close()
}
