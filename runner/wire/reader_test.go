package wire

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func still() time.Time { return time.Time{} }

// readAll returns the frames, the tail and the error that ended the body.
func readAll(src io.Reader, o Options) ([]*Frame, []byte, error) {
	r := NewReader(src, o)
	var fs []*Frame
	for {
		f, err := r.Next()
		if err != nil {
			return fs, r.Tail(), err
		}
		fs = append(fs, f)
	}
}

func frames(t testing.TB, body string) []*Frame {
	t.Helper()
	fs, tail, err := readAll(strings.NewReader(body), Options{Now: still})
	if err != io.EOF {
		t.Fatalf("got error %v", err)
	}
	if why := untiled(fs, tail, []byte(body)); why != "" {
		t.Fatalf("%s of %q", why, body)
	}
	return fs
}

// untiled states where frames and tail differ from the body.
func untiled(fs []*Frame, tail, body []byte) string {
	var joined []byte
	for i, f := range fs {
		if f.Index != i || f.Offset != int64(len(joined)) || f.End-f.Offset != int64(len(f.Raw)) {
			return "wrong place"
		}
		joined = append(joined, f.Raw...)
	}
	if !bytes.Equal(append(joined, tail...), body) {
		return "wrong bytes"
	}
	return ""
}

func TestFrameFields(t *testing.T) {
	got := frames(t, "\ufeff\n: one\n:two\nevent: a\nid: 7\nretry: 30\ndata: x\ndata:  y\nother: 1\nlone\n\n\nid: 8\n\ndata\n\n")
	want := []*Frame{{
		Index: 0, Offset: 0, End: 72, Line: 2,
		Raw:   []byte("\ufeff\n: one\n:two\nevent: a\nid: 7\nretry: 30\ndata: x\ndata:  y\nother: 1\nlone\n\n"),
		Event: "a", HasEvent: true, Data: []byte("x\n y"), DataLines: 2,
		ID: "7", HasID: true, LastEventID: "7", Retry: 30, HasRetry: true,
		Comments: []string{"one", "two"}, Unknown: []string{"other", "lone"}, Terminated: true,
		Violations: []Violation{
			{BOM, 0, 1, "the body begins with a byte order mark"},
			{FieldWithoutColon, 66, 10, "the line has no colon"},
		},
	}, {
		Index: 1, Offset: 72, End: 80, Line: 13, Raw: []byte("\nid: 8\n\n"),
		ID: "8", HasID: true, LastEventID: "8", Terminated: true,
	}, {
		Index: 2, Offset: 80, End: 86, Line: 15, Raw: []byte("data\n\n"),
		Data: []byte{}, DataLines: 1, LastEventID: "8", Terminated: true,
		Violations: []Violation{{FieldWithoutColon, 80, 15, "the line has no colon"}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
	if got[0].Dispatched() != true || got[1].Dispatched() != false || got[2].Dispatched() != true {
		t.Error("wrong dispatch")
	}
}

func TestViolations(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []Violation // of all frames, details left out
	}{
		{"clean", "data: x\n\n", nil},
		{"mixed in a block", "data: x\r\n\n", []Violation{{Kind: MixedLineEnds, Offset: 9, Line: 2}}},
		{"mixed later", "data: x\n\ndata: y\r\n\r\n", []Violation{{Kind: MixedLineEnds, Offset: 16, Line: 3}}},
		{"late LF", "data: x\r\r\ndata: y\r\r", []Violation{{Kind: MixedLineEnds, Offset: 9, Line: 3}}},
		{"invalid UTF-8", "data: x\n\nid: 1\ndata: \xe4x\ndata: \xff\n\n", []Violation{{Kind: InvalidUTF8, Offset: 21, Line: 4}}},
		{"surrogate", "data: \xed\xa0\x80\n\n", []Violation{{Kind: InvalidUTF8, Offset: 6, Line: 1}}},
		{"rune cut by a line end", "data: \xe2\x82\n\n", []Violation{{Kind: InvalidUTF8, Offset: 6, Line: 1}}},
		{"rune cut by the end", "data: \xe2\x82", []Violation{{Kind: Unterminated, Offset: 8, Line: 1}}},
		{"replacement character", "data: \ufffd\n\n", nil},
		{"BOM later", "data: x\n\n\ufeffdata: y\n\n", nil},
		{"bad retry", "retry: 1s\nretry:\n\n", []Violation{{Kind: BadRetry, Offset: 0, Line: 1}}},
		{"NUL in id", "id: 1\x002\n\n", []Violation{{Kind: NULInID, Offset: 0, Line: 1}}},
		{"no blank line", "data: x\n", []Violation{{Kind: Unterminated, Offset: 8, Line: 2}}},
		{"no line end", "data: x", []Violation{{Kind: Unterminated, Offset: 7, Line: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []Violation
			for _, f := range frames(t, c.body) {
				for _, v := range f.Violations {
					v.Detail = ""
					got = append(got, v)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestUnterminatedBlockKeepsItsFieldsButNotItsID(t *testing.T) {
	fs := frames(t, "id: 1\ndata: a\n\nid: 2\nretry: 5\nretry: 6")
	last := fs[len(fs)-1]
	if last.Terminated || last.ID != "2" || last.LastEventID != "1" || last.Retry != 5 {
		t.Errorf("got %+v", last)
	}
}

func TestIDWithNULIsIgnored(t *testing.T) {
	f := frames(t, "id: 1\nid: 2\x00\ndata: a\n\n")[0]
	if !f.IDBad || f.ID != "1" || f.LastEventID != "1" {
		t.Errorf("got %+v", f)
	}
}

func TestRetrySaturates(t *testing.T) {
	f := frames(t, "retry: 99999999999999999999\n\n")[0]
	if f.Retry != math.MaxInt32 || !f.HasRetry {
		t.Errorf("got %d", f.Retry)
	}
}

func TestTail(t *testing.T) {
	for body, want := range map[string]string{
		"": "", "\n\n": "\n\n", "\ufeff": "\ufeff", "data: x\n\n\n": "\n",
		"data: x\r\n\r\n": "", "data: x\r\r\n": "\n", "data: x\n\n\r": "\r",
	} {
		_, tail, _ := readAll(strings.NewReader(body), Options{})
		if string(tail) != want {
			t.Errorf("%q: got tail %q, want %q", body, tail, want)
		}
	}
}

// A gate lets reads through one by one, and fails the test on a read that the
// reader had no need of.
type gate struct {
	t     *testing.T
	parts []string
}

func (g *gate) Read(b []byte) (int, error) {
	if len(g.parts) == 0 {
		g.t.Fatal("the reader waits for more than it needs")
	}
	n := copy(b, g.parts[0])
	g.parts = g.parts[1:]
	return n, nil
}

func TestCompleteBlockIsDeliveredAtOnce(t *testing.T) {
	for _, body := range []string{"data: x\n\n", "data: x\r\r", "data: x\n\r", "data: x\r\n\r\n", "data: x\r\n\n"} {
		r := NewReader(&gate{t, []string{body}}, Options{})
		f, err := r.Next()
		if err != nil || !f.Dispatched() || string(f.Raw) != body {
			t.Errorf("%q: got %+v, %v", body, f, err)
		}
	}
}

func TestCommentIsReportedBeforeItsBlockEnds(t *testing.T) {
	var got []string
	var at []int64
	var r *Reader
	r = NewReader(&pieces{remaining: [][]byte{[]byte(": a\r"), []byte("\n:b"), []byte("\n"), []byte("data: x\n\n")}},
		Options{OnComment: func(s string, _ time.Time) { got, at = append(got, s), append(at, r.Offset()) }})
	f, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, f.Comments); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int64{4, 8}, at); diff != "" {
		t.Errorf("reported at the wrong bytes: %s", diff)
	}
}

func TestReadErrorFollowsTheUnterminatedBlock(t *testing.T) {
	cut := errors.New("cut")
	r := NewReader(&pieces{remaining: [][]byte{[]byte("data: a\n\nda")}, err: cut}, Options{})
	var terminated []bool
	for {
		f, err := r.Next()
		if err != nil {
			if !errors.Is(err, cut) || !strings.Contains(err.Error(), "byte 11") {
				t.Errorf("got %v", err)
			}
			break
		}
		terminated = append(terminated, f.Terminated)
	}
	if diff := cmp.Diff([]bool{true, false}, terminated); diff != "" {
		t.Error(diff)
	}
	if _, err := r.Next(); !errors.Is(err, cut) {
		t.Errorf("the error isn't final: %v", err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestSourceWithoutProgress(t *testing.T) {
	if _, err := NewReader(idle{}, Options{}).Next(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

func TestArrivedAndSilence(t *testing.T) {
	now := time.Unix(0, 0)
	src := &ticking{parts: []string{"data: a\n\n", ": p\n", "data: b\n\ndata: c\n\n"}, tick: func() { now = now.Add(time.Second) }}
	fs, _, _ := readAll(src, Options{Now: func() time.Time { return now }})
	var got []int64
	for _, f := range fs {
		got = append(got, f.Arrived.Unix(), int64(f.Silence/time.Second))
	}
	if diff := cmp.Diff([]int64{1, 1, 6, 3, 6, 0}, got); diff != "" {
		t.Error(diff)
	}
}

// ticking lets 1, 2, 3 … seconds pass before each read returns.
type ticking struct {
	parts []string
	n     int
	tick  func()
}

func (s *ticking) Read(b []byte) (int, error) {
	if s.n == len(s.parts) {
		return 0, io.EOF
	}
	s.n++
	for range s.n {
		s.tick()
	}
	return copy(b, s.parts[s.n-1]), nil
}

// endless repeats a pattern for n bytes.
type endless struct {
	pattern string
	at, n   int64
}

func (e *endless) Read(b []byte) (int, error) {
	if e.at >= e.n {
		return 0, io.EOF
	}
	i := 0
	for i < len(b) && e.at < e.n {
		c := copy(b[i:min(len(b), i+int(e.n-e.at))], e.pattern[e.at%int64(len(e.pattern)):])
		i += c
		e.at += int64(c)
	}
	return i, nil
}

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		name, pattern string
		n, max        int64
	}{
		{"line of 100 MB", "data", 100 << 20, 0},
		{"blank lines", "\n", 1 << 20, 1000},
		{"lines without blank line", "data\n", 1 << 20, 1000},
		{"comments", ":\r", 100 << 20, 0},
		{"unknown fields", "a\r\n", 100 << 20, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			src := &endless{pattern: c.pattern, n: c.n}
			_, _, err := readAll(src, Options{MaxFrame: c.max})
			runtime.ReadMemStats(&after)
			var limit *LimitError
			if !errors.As(err, &limit) || limit.Offset != 0 {
				t.Fatalf("got %v", err)
			}
			if spent := after.TotalAlloc - before.TotalAlloc; spent > 160<<20 {
				t.Errorf("allocated %d MiB", spent>>20)
			}
			if src.at > 4*max(c.max, DefaultMaxFrame) {
				t.Errorf("read on to byte %d", src.at)
			}
		})
	}
}

func TestLimitIsExact(t *testing.T) {
	body := []byte("data: 123\n\n") // 11 bytes
	for _, parts := range [][][]byte{unsplit(body), byByte(body)} {
		if fs, _, err := readAll(&pieces{remaining: append([][]byte(nil), parts...)}, Options{MaxFrame: 11}); err != io.EOF || len(fs) != 1 {
			t.Errorf("at the limit: got %d frames, %v", len(fs), err)
		}
		_, _, err := readAll(&pieces{remaining: append([][]byte(nil), parts...)}, Options{MaxFrame: 10})
		if diff := cmp.Diff(error(&LimitError{Limit: 10, Offset: 0, Line: 1}), err); diff != "" {
			t.Errorf("over the limit: %s", diff)
		}
	}
}

func TestLargeBufferIsGivenBack(t *testing.T) {
	big := "data: " + strings.Repeat("x", 2<<20) + "\n\n"
	r := NewReader(&pieces{remaining: [][]byte{[]byte(big), []byte("data: y\n\n")}}, Options{})
	for range 2 {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.buf) > bufferKeep {
		t.Errorf("the buffer still has %d bytes", len(r.buf))
	}
}

func TestTheBufferGrowsToTheLimit(t *testing.T) {
	r := NewReader(&endless{pattern: "data", n: 100 << 20}, Options{})
	if _, err := r.Next(); err == nil || len(r.buf) > DefaultMaxFrame+bufferSize {
		t.Errorf("%v; the buffer has %d bytes", err, len(r.buf))
	}
}

func TestNotesAreBounded(t *testing.T) {
	f := frames(t, strings.Repeat(":\na\n", 3*maxNotes)+"\n")[0]
	if len(f.Comments) != maxNotes || len(f.Unknown) != maxNotes {
		t.Errorf("kept %d comments and %d names", len(f.Comments), len(f.Unknown))
	}
}
