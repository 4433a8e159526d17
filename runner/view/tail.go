package view

import (
	"context"
	"errors"
	"io"
	"time"
)

// everySoOften is the interval at which a file is checked for growth.
const everySoOften = 200 * time.Millisecond

// Tail reads a file that still grows. It ends with the context.
func Tail(ctx context.Context, file io.Reader) io.Reader { return &tail{ctx, file} }

type tail struct {
	ctx  context.Context
	file io.Reader
}

func (t *tail) Read(b []byte) (int, error) {
	for {
		n, err := t.file.Read(b)
		if n > 0 || !errors.Is(err, io.EOF) {
			return n, err
		}
		if pause(t.ctx) != nil {
			return 0, io.EOF
		}
	}
}

// pause waits before the next check of a file.
func pause(ctx context.Context) error {
	timer := time.NewTimer(everySoOften)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
