package runner_test

import (
	"context"
	"net/http"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

const (
	hostileDeadline = 400 * time.Millisecond
	mostHostileHeap = 150 << 20 // that a run may need at once, above what was there before
)

// hostileCase is a server that means harm at one place.
type hostileCase struct {
	name   string
	at     place
	answer http.HandlerFunc
	// passes are those of the selected requirements that it doesn't break, unasked those that it keeps from being looked
	// at; all others fail.
	passes, unasked []string
	// harmless at the preflight: it is no more than wrong, which is for the scenarios to find.
	harmless bool
	// costly: each frame takes so much time and memory by itself that one scenario at a time is enough.
	costly bool
	// floods: how the preflight ends depends on how much comes before it looks.
	floods bool
}

// atRisk is what is certified: a resume, a replay, the wire, and StreamInfo.
func atRisk() []string {
	return []string{"helix.resume.complete", "helix.lifecycle.finished-replay", "helix.wire.json", "helix.status.info-members"}
}

func hostileStreams(t *testing.T) []hostileCase {
	info := []string{"helix.status.info-members"}
	text := `{"type":"chunk","chunk":{"type":"text_delta","agentId":"a","agentType":"b","timestamp":1,"delta":"x"},"sequence":1}`
	cases := []hostileCase{
		{name: "endless headers", answer: endlessly("HTTP/1.1 200 OK\r\n", "X-More: and more\r\n")},
		{name: "one endless header", answer: endlessly("HTTP/1.1 200 OK\r\nX-More: ", "and more ")},
		{name: "endless informational answers", answer: endlessly("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")},
		{name: "an endless line", answer: endlessly(eventStream+"\r\n", "data: and more ")},
		{name: "an endless frame", answer: endlessly(eventStream+"\r\n", "data:\n")},
		{name: "endless chunks", floods: true, answer: endlessly(eventStream+"\r\n", frameOf(text))},
		{name: "endless unknown frames", floods: true, answer: endlessly(eventStream+"\r\n", "data: {\"type\":\"ping\"}\n\n")},
		{name: "endless comments", floods: true, answer: endlessly(eventStream+"\r\n", ":\n\n")},
		{name: "endless comments in one block", answer: endlessly(eventStream+"\r\n", ":\n")},
		{name: "endless blank lines", answer: endlessly(eventStream+"\r\n", "\n")},
		{name: "a gzip bomb of one line", answer: once(gzipped(bomb(t, "data: and more ", 64<<20)))},
		{name: "a gzip bomb of many frames", floods: true, answer: once(gzipped(bomb(t, "data: {}\n\n", 64<<20)))},
		{name: "gzip that is none", answer: once(gzipped("data: {}\n\n"))},
		{name: "a redirect loop", answer: redirectLoop},
		{name: "a reset in mid-frame", harmless: true, answer: reset(eventStream + "Content-Length: 100000\r\n\r\nid: 1\ndata: {\"ty")},
		{name: "a reset in the head", answer: reset("HTTP/1.1 200 OK\r\nContent-Ty")},
		{name: "a body shorter than it says", harmless: true, answer: once(eventStream + "Content-Length: 100000\r\n\r\n" + frameOf(text))},
		{name: "invalid UTF-8", harmless: true, answer: once(streamOf(frameOf("{\"type\":\"chunk\",\"chunk\":\"\xff\xc0\xed\xa0\x80\"}")))},
		{name: "a number of a hundred million digits", harmless: true, answer: once(streamOf(frameOf(strings.Replace(text, `"sequence":1}`, `"sequence":1e100000000}`, 1))))},
		{name: "a number in a chunk of a hundred million digits", harmless: true, answer: once(streamOf(frameOf(strings.Replace(text, `"timestamp":1,`, `"timestamp":-1e-100000000,"step":1e100000000,`, 1))))},
		{name: "JSON 10,000 deep", harmless: true, answer: once(streamOf(frameOf(strings.Repeat("[", 10000) + strings.Repeat("]", 10000))))},
		{name: "a member 10,000 deep", harmless: true, costly: true, answer: once(streamOf(frameOf(`{"type":"chunk","chunk":` + strings.Repeat(`{"type":`, 9990) + "1" + strings.Repeat("}", 9990) + "}")))},
		{name: "JSON that is cut 40,000 deep", harmless: true, answer: once(streamOf(frameOf(strings.Repeat(`[{"":`, 20000))))},
		{name: "a head that never comes", answer: silent()},
		{name: "a byte of the head a while", answer: slowly("", eventStream+"\r\n", hostileDeadline/4)},
		{name: "a byte of the body a while", answer: slowly(eventStream+"\r\n", frameOf(text), hostileDeadline/4)},
		{name: "an answer that is no HTTP", answer: once("220 mail.example ESMTP\r\n")},
		{name: "nothing at all", answer: once("")},
	}
	for i := range cases {
		cases[i].at = onStream
		if cases[i].passes == nil {
			cases[i].passes = info
		}
	}
	return cases
}

func hostileControl() []hostileCase {
	return []hostileCase{
		{name: "an endless body", at: onControl, answer: endlessly("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n", `{"writerId":"`)},
		{name: "endless headers", at: onControl, answer: endlessly("HTTP/1.1 201 Created\r\n", "X-More: and more\r\n")},
		{name: "HTML", at: onControl, answer: once("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 22\r\n\r\n<html>Sign in.</html>\n")},
		{name: "200 with garbage", at: onControl, answer: once(jsonOf(200, "\x00\xff\xfe{]"))},
		{name: "JSON 10,000 deep", at: onControl, answer: once(jsonOf(201, strings.Repeat("[", 10001)))},
		{name: "a redirect loop", at: onControl, answer: redirectLoop},
		{name: "a head that never comes", at: onControl, answer: silent()},
		{name: "a byte of the body a while", at: onControl, answer: slowly("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n", `{"writerId":"w"}  `, hostileDeadline/4)},
	}
}

func hostileInfo() []hostileCase {
	streams := []string{"helix.resume.complete", "helix.lifecycle.finished-replay", "helix.wire.json"}
	cases := []hostileCase{
		{name: "an endless body", answer: endlessly("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", `{"status":"`)},
		{name: "HTML", harmless: true, answer: once("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 22\r\n\r\n<html>Sign in.</html>\n")},
		{name: "200 with garbage", harmless: true, answer: once(jsonOf(200, "\x00\xff\xfe{]"))},
		{name: "a number of a hundred million digits", harmless: true, answer: once(jsonOf(200, `{"status":"active","latestSequence":1e100000000,"chunkCount":-1e-100000000}`))},
		{name: "JSON 10,000 deep", harmless: true, answer: once(jsonOf(200, strings.Repeat(`[`, 10001)))},
		{name: "a gzip bomb", answer: once(strings.Replace(jsonOf(200, strings.Repeat("\x1f\x8b", 4<<20)), "Connection:", "Content-Encoding: gzip\r\nConnection:", 1))},
		{name: "a redirect loop", harmless: true, unasked: []string{"helix.status.info-members"}, answer: redirectLoop},
		{name: "a head that never comes", answer: silent()},
	}
	for i := range cases {
		cases[i].at, cases[i].passes = onInfo, streams
	}
	return cases
}

// TestHostileServers runs a few scenarios against servers that mean harm. Each run must end soon and small, with a
// verdict that says what happened; nothing may be left running.
func TestHostileServers(t *testing.T) {
	if testing.Short() {
		t.Skip("servers that keep the run waiting")
	}
	suite := load(t)
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	for _, cases := range [][]hostileCase{hostileStreams(t), hostileControl(), hostileInfo()} {
		for _, c := range cases {
			t.Run(string(c.at)+"/"+c.name, func(t *testing.T) {
				defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
				o := options()
				o.Validate = validate
				c.run(t, suite, o)
			})
		}
	}
}

const hostilePrefix = "hostile"

func (c hostileCase) run(t *testing.T, suite *runner.Suite, o reference.Options) {
	ref := reference.New(o)
	defer ref.Close()
	concurrency := 16
	if c.costly {
		concurrency = 2
	}
	limits := target.Limits{Frame: 1 << 20, Answer: 1 << 20, Scenario: 2 << 20}
	// At first it is friendly, until the preflight is over.
	res := besieged(t, suite, hostile(ref, c.at, c.answer, hostilePrefix+"-1"), limits, concurrency)
	if res.Fault != "" {
		t.Fatalf("the preflight was to pass: %s", res.Fault)
	}
	for _, q := range res.Requirements {
		want := report.Fail
		switch {
		case slices.Contains(c.passes, q.ID):
			want = report.Pass
		case slices.Contains(c.unasked, q.ID):
			want = report.Unprovable
		}
		if q.Verdict != want {
			t.Errorf("%s: %s %s, want %s: %.300v", q.ID, q.Verdict, q.Reason, want, q.Findings)
		}
		for _, f := range q.Findings {
			if len(f.Exchange) > 64<<10 {
				t.Errorf("%s: the finding shows %d bytes of the exchange", q.ID, len(f.Exchange))
			}
		}
	}
	// Hostile from the start.
	res = besieged(t, suite, hostile(ref, c.at, c.answer, ""), limits, concurrency)
	switch {
	case c.floods && res.Fault == "":
	case c.harmless:
		if res.Fault != "" {
			t.Errorf("the preflight says %q, and has nothing to say", res.Fault)
		}
	case !strings.HasPrefix(res.Fault, "preflight: ") || strings.Contains(res.Fault, "\n") || len(res.Fault) > 600:
		t.Errorf("the preflight says %q, want one line", res.Fault)
	case res.Requirements[0].Verdict != report.Error:
		t.Errorf("the verdict is %s, want an error", res.Requirements[0].Verdict)
	}
}

// besieged runs the selection and checks what it took.
func besieged(t *testing.T, suite *runner.Suite, h http.Handler, limits target.Limits, concurrency int) *report.Report {
	t.Helper()
	url, stop, err := listen(h, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	cfg := config(url)
	cfg.Timing = target.Timing{Deadline: hostileDeadline, Quiet: 10 * time.Millisecond, Idle: 10 * time.Millisecond}
	cfg.Limits = limits
	tg, err := target.New(cfg, target.Options{Prefix: hostilePrefix})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // what is kept counts, not what is about to be collected
	most := watchHeap()
	began := time.Now()
	res, err := suite.Run(context.Background(), runner.Options{Target: tg, Only: atRisk(), Seed: 1, Concurrency: concurrency, Transcripts: true})
	took := time.Since(began)
	if grown := most(); grown > mostHostileHeap {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	} else {
		t.Logf("%s: %v, heap %d MiB", t.Name(), took, grown>>20)
	}
	if err != nil {
		t.Fatal(err)
	}
	if took > tg.Timing().Scenario*2 {
		t.Errorf("the run took %v", took)
	}
	return res.Report
}

// watchHeap looks at the heap until the function that it returns is called, which says by how much it grew at most.
func watchHeap() func() int64 {
	runtime.GC()
	heap := func() int64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(s)
		return int64(s[0].Value.Uint64())
	}
	before, done, most := heap(), make(chan struct{}), make(chan int64)
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		highest := heap()
		for {
			select {
			case <-tick.C:
				highest = max(highest, heap())
			case <-done:
				most <- max(highest, heap())
				return
			}
		}
	}()
	return func() int64 {
		close(done)
		return <-most - before
	}
}

// TestHostileServersAtDefaultLimits: the bounds that nobody configured hold, too.
func TestHostileServersAtDefaultLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	suite := load(t)
	for name, answer := range map[string]http.HandlerFunc{
		"an endless line":        endlessly(eventStream+"\r\n", "data: and more "),
		"endless unknown frames": endlessly(eventStream+"\r\n", "data: {\"type\":\"ping\"}\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			ref := reference.New(options())
			defer ref.Close()
			besieged(t, suite, hostile(ref, onStream, answer, hostilePrefix+"-1"), target.Limits{}, 1)
		})
	}
}
