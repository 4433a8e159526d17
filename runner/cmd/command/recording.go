package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/streamcert/streamcert/runner/files"
)

// recording opens a file, or standard input for -. The end of ctx ends the wait
// for a pipe's writer, and every read.
func (a *App) recording(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "-" {
		return files.Waiting(ctx, a.in), nil
	}
	f, err := files.Stream(ctx, name)
	var irregular *files.IrregularError
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, Usage("there is no file %s", name)
	case errors.As(err, &irregular):
		return nil, Usage("%s is a %s, expected a recording", name, irregular.Is)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("waiting for a writer to %s: %w", name, context.Cause(ctx))
	}
	return nil, Usage("opening the recording: %w", err)
}

// read reads the source that a flag names: a file, a pipe, or standard input for -.
func (a *App) read(ctx context.Context, name string, most int64) ([]byte, error) {
	in, err := a.recording(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := files.All(in, most)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return text, nil
}
