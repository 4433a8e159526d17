package certify_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// TestBusyRowsAreLeft: a run whose judge doesn't return is reported at an interrupt, and at its timeout.
func TestBusyRowsAreLeft(t *testing.T) {
	for name, timeout := range map[string]time.Duration{"interrupt": 0, "timeout": 300 * time.Millisecond} {
		suite := certifytest.Chapters(t, "helix", "wire")
		ctx, interrupt := context.WithCancelCause(t.Context())
		busy := make(chan struct{})
		once := sync.OnceFunc(func() {
			if timeout == 0 {
				interrupt(errors.New("a signal"))
			}
		})
		suite.Pack.SideBySide = func([]*record.Exchange) ([]record.Finding, []int) { once(); <-busy; return nil, nil }
		h := reference.New(certifytest.Options())
		tg, err := target.New(certifytest.Config(certifytest.Serve(t, h)), target.Options{})
		if err != nil {
			t.Fatal(err)
		}
		came := make(chan *certify.Result, 1)
		go func() {
			res, err := certify.Run(ctx, suite, certify.Options{Target: tg, Seed: 1, Timeout: timeout})
			if err != nil {
				t.Error(err)
			}
			came <- res
		}()
		select {
		case res := <-came:
			if res.Report.Summary.Error == 0 {
				t.Errorf("%s: %+v", name, res.Report.Summary)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%s: the run goes on", name)
		}
		close(busy)
		h.Close()
	}
}
