package target

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/streamcert/streamcert/runner/httpclient"
	"github.com/streamcert/streamcert/runner/target/connection"
)

// whenBroken is the context key of a callback for broken connections of a session.
type whenBroken struct{}

// Refused returns the time at which a connection was refused last, even if a later one succeeded; zero if none was.
func (t *Target) Refused() time.Time { return t.network.Refused() }

// WhenBroken returns a context in which sessions call f each time that the server breaks a connection off, or, with unreached,
// takes none. The call may come from several goroutines, and with a delay: f has to call [Target.Reach] to see whether it is still so.
func WhenBroken(ctx context.Context, f func(unreached bool)) context.Context {
	return context.WithValue(ctx, whenBroken{}, f)
}

// broken reports the error of a request to the callback of [WhenBroken].
func (s *Session) broken(err error) {
	f, asked := s.ctx.Value(whenBroken{}).(func(bool))
	if asked && s.ctx.Err() == nil && !s.target.network.Kills() && !s.killed.Load() && (Unreached(err) || HungUp(err)) {
		f(Unreached(err))
	}
}

// Reach connects to each address of the target, and returns nil if each takes the connection. With answers it asks each for
// anything, too, and one that closes every connection without an answer counts as one that takes none. The error names the
// address. Of a server that the suite has killed it returns nil.
func (t *Target) Reach(ctx context.Context, answers bool) error {
	for _, r := range t.replicas {
		err := t.network.Reach(ctx, r.base)
		if err == nil && answers {
			err = t.answers(ctx, r.base)
		}
		if err != nil && ctx.Err() == nil && !t.network.Kills() {
			return fmt.Errorf("%s: %w", t.Redact(r.base), err)
		}
	}
	return nil
}

// longestAnswer bounds one question whether a server answers. One that takes longer is slow.
const longestAnswer = time.Second

// hangUps is the number of consecutive connections closed without an answer after which a server counts as gone.
const hangUps = 3

func (t *Target) answers(ctx context.Context, base string) error {
	var last error
	for range hangUps {
		c := &connection.Set{}
		client := httpclient.New(t.network.Transport(c, t.overHTTP2, 0), httpclient.Options{Within: min(longestAnswer, t.timing.Deadline)})
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/", nil)
		if err != nil {
			return nil // every request fails in the same way
		}
		t.sign(req, nil)
		res, err := client.Do(req)
		if err == nil {
			_ = res.Body.Close()
		}
		c.Abort()
		if err == nil || !HungUp(err) {
			return nil
		}
		last = err
	}
	return fmt.Errorf("it closes every connection without an answer: %w", below(last))
}

// below returns the error that net/http wrapped, without its description of the request.
func below(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
