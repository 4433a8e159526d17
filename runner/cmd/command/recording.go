package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/streamcert/streamcert/runner/files"
)

// openRecording opens a file, or takes stdin for -. The end of ctx ends the wait
// for a pipe's writer, and every read.
func openRecording(ctx context.Context, stdin io.Reader, name string) (io.ReadCloser, error) {
	if name == "-" {
		return files.Waiting(ctx, stdin), nil
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

// read reads the source that a flag names: a file, a pipe, or stdin for -.
func read(ctx context.Context, stdin io.Reader, name string, most int64) ([]byte, error) {
	in, err := openRecording(ctx, stdin, name)
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
