package hostile_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

const (
	// hostileDeadline is only reached where a server keeps its client waiting; all that the friendly parts of a server
	// answer comes before it, however busy the machine is.
	hostileDeadline = 20 * time.Second
	// slowDeadline is the deadline of runs in which a client waits.
	slowDeadline = 3 * time.Second
	// floodDeadline is the deadline of runs in which noise comes until then, which costs a processor.
	floodDeadline   = time.Second
	slowPause       = 100 * time.Millisecond // between the bytes of a server that is slow
	mostHostileHeap = 48 << 20               // heap growth at any time
	// mostDefaultHeap is that of a run with the default limits.
	mostDefaultHeap = 150 << 20
)

// hostileCase is a server that attacks the suite in one way.
type hostileCase struct {
	name   string
	at     requestKind
	answer http.HandlerFunc
	// pads: it answers as the reference does, and appends its output to that.
	pads func(http.ResponseWriter) http.ResponseWriter
	// within: a run of the program with all defaults ends by itself in that time.
	within time.Duration
	// passes are the selected requirements that it satisfies; all others fail.
	passes []string
	// harmless at the preflight: it is no more than wrong, which is for the scenarios to find.
	harmless bool
	// costly: each frame takes so much time and memory by itself that one scenario at a time is enough.
	costly bool
	// slow: the client waits until its deadline.
	slow bool
	// noisy: the responses contain no expected event, and the client waits until its deadline.
	noisy bool
	// floods: the result of the preflight depends on how much comes before it reads.
	floods bool
}

// atRisk returns the ids of the requirements that the tests certify. They cover a resume, a replay, the wire format and
// StreamInfo.
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
		{name: "endless blank lines", noisy: true, answer: endlessly(eventStream+"\r\n", "\n")},
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
		{name: "a head that never comes", slow: true, within: 30 * time.Second, answer: silent()},
		{name: "a byte of the head a while", slow: true, answer: slowly("", eventStream+"X-Slow: "+slowWord+"\r\n\r\n", slowPause)},
		{name: "a byte of the body a while", slow: true, answer: slowly(eventStream+"\r\n", ": "+slowWord+"\n"+frameOf(text), slowPause)},
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

// slowWord takes a server that is slow longer than a client on a busy machine waits.
var slowWord = strings.Repeat("x", 400)

func hostileControl() []hostileCase {
	return []hostileCase{
		{name: "an endless body", at: onControl, answer: endlessly("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n", `{"writerId":"`)},
		{name: "endless headers", at: onControl, answer: endlessly("HTTP/1.1 201 Created\r\n", "X-More: and more\r\n")},
		{name: "HTML", at: onControl, answer: once("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 22\r\n\r\n<html>Sign in.</html>\n")},
		{name: "200 with garbage", at: onControl, answer: once(jsonOf(200, "\x00\xff\xfe{]"))},
		{name: "JSON 10,000 deep", at: onControl, answer: once(jsonOf(201, strings.Repeat("[", 10001)))},
		{name: "a redirect loop", at: onControl, answer: redirectLoop},
		{name: "a head that never comes", slow: true, at: onControl, answer: silent()},
		{name: "a byte of the body a while", slow: true, at: onControl, answer: slowly("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n", `{"writerId":"w"}  `, slowPause)},
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
		{name: "a redirect loop", harmless: true, answer: redirectLoop},
		{name: "a head that never comes", slow: true, answer: silent()},
	}
	for i := range cases {
		cases[i].at, cases[i].passes = onInfo, streams
	}
	return cases
}

// TestHostileServers runs a few scenarios against hostile servers. Each run must end soon and with little memory, with a
// verdict that describes the attack; nothing may be left running.
func TestHostileServers(t *testing.T) {
	if testing.Short() {
		t.Skip("servers that keep the run waiting")
	}
	suite := certifytest.Load(t, "helix")
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	o := certifytest.Options()
	o.Validate = validate
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	defer certifytest.Heap(t, mostHostileHeap)()
	all := slices.Concat(hostileStreams(t), hostileControl(), hostileInfo())
	var slow sync.WaitGroup // they wait concurrently with the others
	for _, c := range all {
		if c.slow {
			slow.Go(func() { c.inScenarios(t, suite, o) })
			slow.Go(func() { c.fromTheStart(t, suite, o) })
		}
	}
	for _, c := range all {
		if !c.slow {
			t.Run(string(c.at)+"/"+c.name, func(t *testing.T) {
				c.inScenarios(t, suite, o)
				c.fromTheStart(t, suite, o)
			})
		}
	}
	slow.Wait()
}

const hostilePrefix = "hostile"

// inScenarios: a server that is friendly until the preflight is over.
func (c hostileCase) inScenarios(t *testing.T, suite *pack.Suite, o reference.Options) {
	t.Helper()
	res := c.besieged(t, suite, o, hostilePrefix+"-1")
	if res == nil {
		return
	}
	if res.Fault != "" {
		t.Errorf("%s/%s: the preflight was to pass: %s", c.at, c.name, res.Fault)
		return
	}
	for _, q := range res.Requirements {
		want := report.Fail
		if slices.Contains(c.passes, q.ID) {
			want = report.Pass
		}
		if q.Verdict != want {
			t.Errorf("%s/%s: %s: %s %s, want %s: %.300v", c.at, c.name, q.ID, q.Verdict, q.Reason, want, q.Findings)
		}
		for _, f := range q.Findings {
			if len(f.Exchange) > 64<<10 {
				t.Errorf("%s/%s: %s: the finding shows %d bytes of the exchange", c.at, c.name, q.ID, len(f.Exchange))
			}
		}
	}
}

// fromTheStart: the server is also hostile to the preflight.
func (c hostileCase) fromTheStart(t *testing.T, suite *pack.Suite, o reference.Options) {
	t.Helper()
	res := c.besieged(t, suite, o, "")
	if res == nil {
		return
	}
	switch {
	case c.floods && res.Fault == "":
	case c.harmless:
		if res.Fault != "" {
			t.Errorf("%s/%s: the preflight says %q, and has nothing to say", c.at, c.name, res.Fault)
		}
	case !strings.HasPrefix(res.Fault, "preflight: ") || strings.Contains(res.Fault, "\n") || len(res.Fault) > 600:
		t.Errorf("%s/%s: the preflight says %q, want one line", c.at, c.name, res.Fault)
	case res.Summary.Error != 1 || res.Requirements[0].Verdict != report.Skipped:
		t.Errorf("%s/%s: %d errors, and the verdict is %s, want one error and the rest skipped", c.at, c.name, res.Summary.Error, res.Requirements[0].Verdict)
	}
}

func (c hostileCase) besieged(t *testing.T, suite *pack.Suite, o reference.Options, spared string) *report.Report {
	t.Helper()
	ref := reference.New(o)
	defer ref.Close()
	cfg := target.Config{
		Timing: target.Timing{Deadline: hostileDeadline, Quiet: 10 * time.Millisecond, Idle: 10 * time.Millisecond},
		Limits: target.Limits{Frame: 128 << 10, Answer: 128 << 10, Scenario: 256 << 10},
	}
	concurrency := 16
	switch {
	case c.slow:
		cfg.Timing.Deadline = slowDeadline
	case c.floods, c.noisy:
		cfg.Timing.Deadline, concurrency = floodDeadline, 4 // so that the friendly answers get through
	case c.costly:
		concurrency = 2
	}
	return besieged(t, suite, hostile(ref, c.at, c.answer, spared), cfg, concurrency, atRisk()...)
}

// besieged runs a selection against a server and returns the report; nil if there is none, which fails the test.
func besieged(t *testing.T, suite *pack.Suite, h http.Handler, of target.Config, concurrency int, only ...string) *report.Report {
	t.Helper()
	url, stop, err := certifytest.Listen(h, func() {})
	if err != nil {
		t.Error(err)
		return nil
	}
	defer stop()
	cfg := certifytest.Config(url)
	cfg.Timing, cfg.Limits = of.Timing, of.Limits
	tg, err := target.New(cfg, target.Options{Prefix: hostilePrefix})
	if err != nil {
		t.Error(err)
		return nil
	}
	defer tg.Close()
	// A run that doesn't end by itself ends here, and its report names the wait.
	ctx, cancel := context.WithTimeout(t.Context(), 20*tg.Timing().Scenario)
	defer cancel()
	res, err := certify.Run(ctx, suite, certify.Options{Target: tg, Only: only, Seed: 1, Concurrency: concurrency, Transcripts: true})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		t.Error(err)
		return nil
	}
	return res.Report
}

// TestHostileServersAtDefaultLimits: the default limits also suffice.
func TestHostileServersAtDefaultLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	suite := certifytest.Load(t, "helix")
	for name, c := range map[string]struct{ piece, only string }{
		"an endless line":        {"data: and more ", "helix.resume.complete"},
		"endless unknown frames": {"data: {\"type\":\"ping\"}\n\n", "helix.wire.json"},
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			defer certifytest.Heap(t, mostDefaultHeap)()
			ref := reference.New(certifytest.Options())
			defer ref.Close()
			cfg := target.Config{Timing: target.Timing{Deadline: floodDeadline, Quiet: 10 * time.Millisecond, Idle: 10 * time.Millisecond}}
			besieged(t, suite, hostile(ref, onStream, endlessly(eventStream+"\r\n", c.piece), hostilePrefix+"-1"), cfg, 1, c.only)
		})
	}
}
