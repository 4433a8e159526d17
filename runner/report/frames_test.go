package report_test

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// bomb returns a body that is small in a report and large when it is opened.
func bomb(t *testing.T, of string, size int) report.Body {
	t.Helper()
	b := report.NewBody(bytes.Repeat([]byte(of), size/len(of)))
	text, err := json.Marshal(b)
	if err != nil || len(text) > 700<<10 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	return b
}

func TestFramesOfABody(t *testing.T) {
	for name, c := range map[string]struct {
		body   report.Body
		frames int
		fault  string
	}{
		"none":            {report.Body{}, 0, ""},
		"two":             {report.NewBody([]byte("data: 1\n\ndata: 2\n\n")), 2, ""},
		"too many frames": {bomb(t, ":\n\n", 3<<20), 100_000, "more than 100000 frames"},
		"too many bytes":  {bomb(t, "data: x\n", 64<<20+16), 0, "more than 67108864 bytes"},
	} {
		n, fault := 0, ""
		for _, err := range c.body.Each() {
			if err != nil {
				fault = err.Error()
				break
			}
			n++
		}
		if n != c.frames && c.fault == "" || !strings.Contains(fault, c.fault) || c.fault == "" && fault != "" || n > c.frames+1 {
			t.Errorf("%s: %d frames, %q", name, n, fault)
		}
	}
}

// TestVerifyCountsFrames: small frames take more memory than their bytes.
func TestVerifyCountsFrames(t *testing.T) {
	r := &report.Report{}
	body := bomb(t, ":\n\n", 3*99_000)
	for range 12 {
		r.Scenarios = append(r.Scenarios, report.Scenario{Exchanges: []report.Exchange{{Kind: record.Read, Status: 200, Frames: body}}})
	}
	judged := 0
	out := report.Verify(r, func([]report.Exchange) (report.Judged, error) { judged++; return report.Judged{}, nil })
	if judged != 10 || len(out.Unjudged) != 2 || !strings.Contains(out.Unjudged[0], "more than 1000000 frames") {
		t.Errorf("%d were judged; %q", judged, out.Unjudged)
	}
}

// TestVerifyDecompressesWithinTheLimit hands Verify a report of some hundred
// kilobytes whose frames would take gigabytes.
func TestVerifyDecompressesWithinTheLimit(t *testing.T) {
	r := &report.Report{}
	for range 12 {
		r.Scenarios = append(r.Scenarios, report.Scenario{Exchanges: []report.Exchange{
			{Kind: record.Read, Status: 200, Frames: bomb(t, "data: "+strings.Repeat("x", 1000)+"\n\n", 30<<20)},
		}})
	}
	judged := 0
	out := report.Verify(r, func(exchanges []report.Exchange) (report.Judged, error) {
		judged++
		return report.Judged{}, nil
	})
	if judged < 5 || judged > 9 || len(out.Unjudged) != 12-judged {
		t.Errorf("%d were judged, %d not", judged, len(out.Unjudged))
	}
	if n := len(out.Unjudged); n == 0 || !strings.Contains(out.Unjudged[n-1], "more than 268435456 bytes") {
		t.Errorf("%q", out.Unjudged)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapSys > 600<<20 {
		t.Errorf("the heap has grown to %d MiB", m.HeapSys>>20)
	}
}
