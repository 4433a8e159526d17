package check_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/check"
	"github.com/streamcert/streamcert/runner/recording"
	"github.com/streamcert/streamcert/runner/wire"
)

const members = `"agentId":"run-1","agentType":"planner","timestamp":1702329600000`

// capture is a recording of n events and an end, generated as it is read.
type capture struct {
	next, n   int
	ndjson    bool
	remaining []byte
	buf       []byte
}

func (c *capture) Read(b []byte) (int, error) {
	if len(c.remaining) == 0 {
		if c.next > c.n {
			return 0, io.EOF
		}
		c.buf = c.buf[:0]
		for ; len(c.buf) < 32<<10 && c.next <= c.n; c.next++ {
			c.buf = c.event(c.buf, c.next)
		}
		c.remaining = c.buf
	}
	n := copy(b, c.remaining)
	c.remaining = c.remaining[n:]
	return n, nil
}

func (c *capture) event(b []byte, seq int) []byte {
	data := fmt.Sprintf(`{"type":"chunk","chunk":{"type":"text_delta",%s,"step":%d,"delta":"word number \"seven\" "},"sequence":%d}`, members, seq/20, seq)
	if seq == c.n {
		data = `{"type":"end"}`
	}
	if c.ndjson {
		return append(append(b, data...), '\n')
	}
	return fmt.Appendf(b, "id: %d\ndata: %s\n\n", seq, data)
}

func checked(t testing.TB, r io.Reader) (recording.Checked, []string, error) {
	t.Helper()
	var found []string
	out, err := check.Run(context.Background(), certifytest.Load(t, "helix"), r, recording.Options{Found: func(f recording.Finding) error {
		if strings.HasSuffix(f.Message, "what would have followed is not judged") {
			return nil // most of these recordings have no last frame
		}
		found = append(found, fmt.Sprintf("%d@%d %s %s", f.Line, f.Offset, f.Level, strings.TrimPrefix(f.Requirement, "helix.")))
		return nil
	}})
	return out, found, err
}

func frame(seq int, more string) string {
	return fmt.Sprintf("id: %d\ndata: {\"type\":\"chunk\",\"chunk\":{\"type\":\"text_delta\",%s,\"delta\":\"x\"%s},\"sequence\":%d}\n\n", seq, members, more, seq)
}

func TestCheckFindsNothingInAGoodRecording(t *testing.T) {
	for name, c := range map[string]*capture{"sse": {n: 500, next: 1}, "ndjson": {n: 500, next: 1, ndjson: true}} {
		out, found, err := checked(t, c)
		if err != nil || len(found) > 0 || out.Events != 500 || out.Format != name || len(out.Exercised) < 5 {
			t.Errorf("%s: %+v %v %v", name, out, found, err)
		}
	}
}

func TestCheckOfBadRecordings(t *testing.T) {
	first := frame(1, "")
	at := len(first)
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"order":                {frame(2, "") + frame(1, ""), []string{fmt.Sprintf("4@%d MUST ordering.ascending", at)}},
		"should":               {first + "event: x\n" + frame(2, ""), []string{fmt.Sprintf("4@%d SHOULD wire.unnamed", at)}},
		"cut":                  {first + frame(2, "")[:40], []string{fmt.Sprintf("4@%d  ", at)}},
		"cut before the blank": {first + strings.TrimSuffix(frame(2, ""), "\n"), []string{fmt.Sprintf("4@%d  ", at)}},
		"invalid utf-8":        {strings.Replace(first, `"x"`, "\"\xff\"", 1), []string{fmt.Sprintf("2@%d MUST wire.utf8", strings.Index(first, `"x"`)+1)}},
		"deep":                 {"data: " + deep + "\n\n", []string{"1@0 MUST wire.json"}},
		"absurd number":        {frame(1, `,"step":1e100000000`), []string{"1@0 MUST chunks.integers"}},
		"ndjson cut":           {"{\"type\":\"end\"}\n{\"type\":", []string{"2@15  "}},
		"ndjson broken":        {"{\"type\":\"new\"}\r\n\r\n{\"type\":\n", []string{"3@18 MUST wire.json"}},
		"ndjson bare chunk":    {`{"type":"text_delta",` + members + `,"delta":"x"}`, []string{"1@0 MUST wire.chunk-frame"}},
		"ndjson deep":          {`{"type":"chunk","sequence":1,"chunk":` + deep + "}\n", []string{"1@0 MUST wire.json"}},
		"ndjson utf-8":         {"\xef\xbb\xbf{\"type\":\"status\",\"status\":\"paused\",\"x\":\"\xff\"}\n", []string{"1@0 MUST wire.utf8"}},
	} {
		_, found, err := checked(t, strings.NewReader(c.in))
		if diff := cmp.Diff(c.want, found); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestCheckNeedsSomethingToJudge(t *testing.T) {
	for name, in := range map[string]string{
		"nothing": "", "blank": " \n\n", "a page": "<html>\n<body>\n\n</body>", "an array": "[1]", "comments": ": hi\n\n",
		"another protocol": "data: {\"type\":\"text-start\",\"id\":\"1\"}\n\n", "cut": frame(1, "")[:30],
	} {
		var empty *recording.EmptyError
		if _, _, err := checked(t, strings.NewReader(in)); !errors.As(err, &empty) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestCheckOfExamples(t *testing.T) {
	for file, want := range map[string]string{"wire.sse": "chunks.agent-id", "chunks.ndjson": "wire.chunk-frame", "frames.ndjson": ""} {
		b, err := os.ReadFile("../../schemas/testdata/sources/" + file)
		if err != nil {
			t.Fatal(err)
		}
		out, found, err := checked(t, bytes.NewReader(b))
		if err != nil || want != "" && !strings.Contains(strings.Join(found, "\n"), want) || want == "" && out.Events == 0 {
			t.Errorf("%s: %v %v", file, found, err)
		}
	}
}

// endless is a line without an end.
type endless struct{ left int }

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := min(len(b), e.left)
	for i := range b[:n] {
		b[i] = 'a'
	}
	e.left -= n
	return n, nil
}

func TestCheckOfALineThatIsTooLong(t *testing.T) {
	before := allocated()
	_, _, _ = checked(t, strings.NewReader(frame(1, "")))
	loading := allocated() - before // the suite is loaded each time
	for name, begin := range map[string]string{"sse": "id: 1\ndata: ", "ndjson": `{"type":"`} {
		var limit *wire.LimitError
		before := allocated()
		_, _, err := checked(t, io.MultiReader(strings.NewReader(begin), &endless{100 << 20}))
		if !errors.As(err, &limit) {
			t.Errorf("%s: error %v", name, err)
		}
		if took := allocated() - before; took > loading+130<<20 {
			t.Errorf("%s: %d MiB were allocated, %d of them to load, for 100 MiB of which 17 are looked at", name, took>>20, loading>>20)
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestCheckReportsReadErrors(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, begin := range []string{frame(1, ""), `{"type":"end"}` + "\n", `{"type":`} {
		out, _, err := checked(t, io.MultiReader(strings.NewReader(begin), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) || out.Bytes != int64(len(begin)) {
			t.Errorf("after %q: %v, %+v", begin, err, out)
		}
	}
}

func TestCheckStopsWhenCancelled(t *testing.T) {
	stop := errors.New("enough")
	out, err := check.Run(context.Background(), certifytest.Load(t, "helix"), strings.NewReader(frame(2, "")+frame(1, "")+frame(0, "")),
		recording.Options{Found: func(recording.Finding) error { return stop }})
	if !errors.Is(err, stop) || out.Events != 2 {
		t.Error(out, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := check.Run(ctx, certifytest.Load(t, "helix"), &capture{n: 10, next: 1}, recording.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// watched reports the largest heap seen while it is read.
type watched struct {
	*capture
	reads int
	peak  uint64
}

func (w *watched) Read(b []byte) (int, error) {
	if w.reads++; w.reads%64 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		w.peak = max(w.peak, m.HeapAlloc)
	}
	return w.capture.Read(b)
}

func checkMemory(t testing.TB, n int) recording.Checked {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // the garbage that a rarer collector leaves doesn't count
	suite := certifytest.Load(t, "helix")
	runtime.GC()
	w := &watched{capture: &capture{n: n, next: 1}}
	out, err := check.Run(context.Background(), suite, w, recording.Options{})
	if err != nil || out.Events != n {
		t.Fatal(out, err)
	}
	if w.peak > 64<<20 {
		t.Fatalf("the heap grew to %d MiB", w.peak>>20)
	}
	return out
}

func TestCheckNeedsConstantMemory(t *testing.T) {
	checkMemory(t, 50_000)
	if testing.Short() {
		t.Skip("one size tells little")
	}
	checkMemory(t, 300_000) // BenchmarkCheck reads a million
}

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		checkMemory(b, 1_000_000)
	}
	b.ReportMetric(1e6*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
