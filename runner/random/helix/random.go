package helix

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/target"
)

// Options say what is drawn. The zero value draws 25 operations on one stream.
type Options struct {
	Seed       int64
	Operations int
	Streams    int
	// Whole leaves a failing sequence as long as it is.
	Whole bool
}

// Failure is a sequence of operations after which the server does something that
// the model rules out.
type Failure struct {
	Seed    int64
	Drawn   int         // operations before any was left out
	Script  []Operation // the last of them is where it showed
	Message string
	// Exchange is the text on the wire where it showed, secrets redacted; empty
	// if it is about no exchange.
	Exchange string
}

// Error shows the script.
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, %d of %d operations:\n", f.Seed, len(f.Script), f.Drawn)
	for _, o := range f.Script {
		fmt.Fprintf(&b, "  %s\n", o)
	}
	fmt.Fprintf(&b, "then: %s\n", f.Message)
	b.WriteString(f.Exchange)
	return b.String()
}

// violation is something that the model rules out.
type violation struct {
	message  string
	exchange *target.Exchange
}

func (v *violation) Error() string { return v.message }

func broken(e *target.Exchange, format string, args ...any) error {
	return &violation{fmt.Sprintf(format, args...), e}
}

// Run draws a sequence of operations by the seed, performs it against the target
// and returns how the server failed, nil if it didn't. The error says why that
// could not be found out.
func Run(ctx context.Context, t *target.Target, o Options) (*Failure, error) {
	if o.Operations <= 0 {
		o.Operations = 25
	}
	o.Streams = max(1, o.Streams)
	script := generate(o.Seed, o.Operations, o.Streams, t.Claims)
	f, err := perform(ctx, t, script, o.Streams)
	if f == nil || err != nil {
		return nil, err
	}
	if !o.Whole {
		f, err = shrink(ctx, t, f, o.Streams)
	}
	f.Seed, f.Drawn = o.Seed, len(script)
	return f, err
}

// perform runs a script on streams of its own and then looks at everything once
// more.
func perform(ctx context.Context, t *target.Target, script []Operation, streams int) (*Failure, error) {
	session := t.Session(ctx)
	defer session.Close()
	p := &play{session: session, target: t}
	done := 0
	err := p.begin(streams)
	for done < len(script) && err == nil {
		err = p.do(script[done])
		done++
	}
	if err == nil {
		err = p.finish()
	}
	var v *violation
	switch {
	case err == nil:
		return nil, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("performing operation %d: %w", done, ctx.Err())
	case !errors.As(err, &v):
		return nil, fmt.Errorf("performing operation %d: %w", done, err)
	}
	f := &Failure{Script: script[:done], Message: v.message}
	if v.exchange != nil {
		f.Exchange = t.Redact(v.exchange.Render(-1))
	}
	return f, nil
}

// shrink leaves out operations, halves first, as long as the server still fails.
// If the caller gives up, what was found so far is returned with the error.
func shrink(ctx context.Context, t *target.Target, f *Failure, streams int) (*Failure, error) {
	for size := max(1, len(f.Script)/2); size > 0; size /= 2 {
		for at := len(f.Script) - size; at >= 0; {
			shorter := append(append([]Operation(nil), f.Script[:at]...), f.Script[at+size:]...)
			again, err := perform(ctx, t, shorter, streams)
			if err != nil {
				return f, fmt.Errorf("shrinking: %w", err)
			}
			if again != nil {
				f = again
			}
			at = min(at, len(f.Script)) - size
		}
	}
	return f, nil
}
