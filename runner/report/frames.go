package report

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/streamcert/streamcert/runner/wire"
)

// Limits of decompression: small compressed bodies may become large, and frames take more memory than their bytes.
const (
	mostFrames       = 100_000   // of one exchange; a run keeps at most 65,000 by default
	mostReportBytes  = 256 << 20 // of all exchanges, opened
	mostReportFrames = 1_000_000 // of all exchanges
)

var errLarge = fmt.Errorf("a compressed body holds more than %d bytes", mostBody)

// Each returns the frames of a body one by one, without storing them. The last error, if there is one, is that of Bytes, or
// reports that there are too many frames.
func (b Body) Each() iter.Seq2[*wire.Frame, error] {
	return func(yield func(*wire.Frame, error) bool) {
		body, err := b.open()
		if err != nil {
			yield(nil, err)
			return
		}
		// The judge of a run gets no times, so that none are stored.
		clock := func() time.Time { return time.Time{} }
		r := wire.NewReader(body, wire.Options{MaxFrame: mostBody + 1, Now: clock})
		for n := 0; ; n++ {
			f, err := r.Next()
			switch {
			case errors.Is(err, io.EOF):
				if r.Offset() > mostBody {
					yield(nil, errLarge)
				}
				return
			case err != nil:
				yield(nil, fmt.Errorf("reading the frames again: %w", err))
				return
			case n == mostFrames:
				yield(nil, fmt.Errorf("a body holds more than %d frames", mostFrames))
				return
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}

// allowance limits decompression: the bytes and frames that may still be read from the bodies of one report.
type allowance struct {
	bytes  int64 // decompressed bytes that may still be read; never negative
	frames int   // never negative
}

func newAllowance() *allowance { return &allowance{mostReportBytes, mostReportFrames} }

// take subtracts the bodies of an exchange, which it decompresses without storing them. The error is ErrOmitted for an
// exchange without bodies, or names the limit that is exceeded.
func (a *allowance) take(e Exchange) error {
	if e.Shortened {
		return ErrOmitted
	}
	size := func(b Body) error {
		body, err := b.open()
		if err != nil {
			return nil // the reader of the body reports it
		}
		n, _ := io.Copy(io.Discard, io.LimitReader(body, a.bytes+1))
		if a.bytes -= n; a.bytes < 0 {
			a.bytes = 0
			return fmt.Errorf("the bodies of the report hold more than %d bytes", mostReportBytes)
		}
		return nil
	}
	if err := errors.Join(size(e.State), size(e.Answer), size(e.Frames)); err != nil {
		return err
	}
	for range e.Frames.Each() {
		if a.frames--; a.frames < 0 {
			a.frames = 0
			return fmt.Errorf("the report holds more than %d frames", mostReportFrames)
		}
	}
	return nil
}
