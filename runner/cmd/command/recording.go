package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// recording opens a file, or standard input for -. The end of ctx ends the wait
// for a pipe's writer, and every read.
func (a *App) recording(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "-" {
		return &capture{ctx: ctx, file: io.NopCloser(a.in), waits: true}, nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, Usage("there is no file %s", name)
	case err != nil:
		return nil, Usage("opening the recording: %w", err)
	case info.IsDir():
		return nil, Usage("%s is a folder, expected a recording", name)
	case info.Mode().IsRegular():
		f, err := os.Open(name)
		if err != nil {
			return nil, Usage("opening the recording: %w", err)
		}
		return &capture{ctx: ctx, file: f}, nil
	}
	f, err := inTime(ctx, func() (*os.File, error) { return os.Open(name) })
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("waiting for somebody who writes to %s: %w", name, context.Cause(ctx))
	case err != nil:
		return nil, Usage("opening the recording: %w", err)
	}
	return &capture{ctx: ctx, file: f, waits: true}, nil
}

// inTime returns what f does, or nothing once ctx has ended; f may go on for as
// long as the program runs.
func inTime[T any](ctx context.Context, f func() (T, error)) (T, error) {
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

// capture is an open recording.
type capture struct {
	ctx   context.Context
	file  io.ReadCloser
	waits bool // for a writer, so that a read may take any time
	rest  []byte
}

// readAhead is how much is read at a time of what waits for its writer.
const readAhead = 64 << 10

// Read implements io.Reader.
func (r *capture) Read(p []byte) (int, error) {
	if err := context.Cause(r.ctx); err != nil {
		return 0, err
	}
	if !r.waits {
		return r.file.Read(p)
	}
	if len(r.rest) == 0 {
		got, err := inTime(r.ctx, func() ([]byte, error) {
			b := make([]byte, readAhead) // its own: a read that is given up may still fill it
			n, err := r.file.Read(b)
			return b[:n], err
		})
		r.rest = got
		if err != nil && (len(got) == 0 || !errors.Is(err, io.EOF)) {
			return 0, err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Close implements io.Closer. A read that was given up keeps the file open.
func (r *capture) Close() error {
	if r.waits && r.ctx.Err() != nil {
		return nil
	}
	return r.file.Close()
}
