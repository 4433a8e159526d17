package progress_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/report/progress"
)

func TestProgress(t *testing.T) {
	now := time.Unix(0, 0)
	var b bytes.Buffer
	p := progress.New(&b, false, func() time.Time { return now }, "scenarios")
	p.Step(1, 10, 0)
	now = now.Add(11 * time.Second)
	p.Step(2, 10, 3)
	p.Step(3, 10, 1)
	p.Say("accused: a-server")
	p.Finish()
	if got, want := b.String(), "2 of 10 scenarios, 1 with findings\naccused: a-server\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	b.Reset()
	p = progress.New(&b, true, func() time.Time { return now }, "scenarios")
	p.Step(1, 2, 1)
	p.Step(2, 2, 0)
	p.Finish()
	if got := b.String(); !strings.Contains(got, "scenarios, 1 with findings") || !strings.HasSuffix(got, "\r") {
		t.Errorf("the bar was not drawn and removed: %q", got)
	}
}
