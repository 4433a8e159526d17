package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/observe"
	"github.com/streamcert/streamcert/runner/packs"
)

// cursorOf returns the sequence in a request's Last-Event-ID, 0 for the start.
func cursorOf(r *http.Request) int {
	n, _ := strconv.Atoi(r.Header.Get("Last-Event-ID"))
	return n
}

// flushed sends text at once.
func flushed(w http.ResponseWriter, text string) {
	_, _ = io.WriteString(w, text)
	_ = http.NewResponseController(w).Flush()
}

// TestAStreamThatGrows: events that are written during a sweep are no failure.
func TestAStreamThatGrows(t *testing.T) {
	var reads atomic.Int64
	at := serving(t, func(w http.ResponseWriter, r *http.Request) {
		latest := 6 + int(reads.Add(1))/3
		for i := cursorOf(r) + 1; i <= latest; i++ {
			flushed(w, ": beat\n\ndata: {\"type\":\"status\",\"status\":\"active\"}\n\n"+delta(i, "w"))
		}
		<-r.Context().Done()
	})
	r := swept(t, at, observe.SweepOptions{Seed: 2, Cuts: 20})
	for _, id := range verdicts(r) {
		if strings.HasPrefix(id, "helix.resume.") {
			t.Errorf("%s is blamed\n%s", id, page(t, r))
		}
	}
	if r.Sweep.Undecided > 0 || r.Sweep.Finished || r.Sweep.Cursors == 0 {
		t.Errorf("%+v", r.Sweep)
	}
}

// TestAStreamThatEndsMeanwhile: the first read meets it active, the others ended.
func TestAStreamThatEndsMeanwhile(t *testing.T) {
	var reads atomic.Int64
	at := serving(t, func(w http.ResponseWriter, r *http.Request) {
		ended := reads.Add(1) > 6
		if ended && cursorOf(r) > 5 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		for i := cursorOf(r) + 1; i <= 5; i++ {
			flushed(w, delta(i, "w"))
		}
		if ended {
			flushed(w, "id: 6\ndata: {\"type\":\"end\"}\n\n")
			return
		}
		flushed(w, "")
		<-r.Context().Done()
	})
	if r := swept(t, at, observe.SweepOptions{Seed: 2, Cuts: 20}); r.ExitCode(false) != 0 || r.Sweep.Undecided > 0 {
		t.Error(page(t, r))
	}
}

// TestRemovalMeanwhile: chunks are removed, and readers are notified or not.
func TestRemovalMeanwhile(t *testing.T) {
	for name, after := range map[string]int64{"before the second read": 1, "during the sweep": 9} {
		t.Run(name, func(t *testing.T) {
			var reads atomic.Int64
			at := serving(t, func(w http.ResponseWriter, r *http.Request) {
				n := reads.Add(1)
				for i := cursorOf(r) + 1; i <= 8; i++ {
					if n == after && n > 1 && i == 4 {
						flushed(w, "data: {\"type\":\"truncated\",\"truncatedAtStep\":0,\"atSequence\":8}\n\n")
					}
					if (n > 1 || after > 1) && n >= after && (i == 4 || i == 5) {
						continue
					}
					flushed(w, delta(i, "w"))
				}
				flushed(w, "")
				<-r.Context().Done()
			})
			r := swept(t, at, observe.SweepOptions{Seed: 2, Cuts: 20, Concurrency: 1})
			if v := verdicts(r); len(v) > 0 || len(r.Notes) == 0 {
				t.Errorf("%v\n%s", v, page(t, r))
			}
			if told := strings.Contains(page(t, r), "chunks were removed meanwhile"); told != (after > 1) || after == 1 && r.Sweep.Undecided > 0 {
				t.Error(page(t, r))
			}
		})
	}
}

func TestServersThatKeepLittle(t *testing.T) {
	resume := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if c := cursorOf(r); c > 0 && c < 3 {
				w.WriteHeader(status)
				return
			} else if c == 4 || c == 5 {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			body := three() + end
			_, _ = io.WriteString(w, body[strings.Index(body, fmt.Sprintf("id: %d\n", cursorOf(r)+1)):])
		}
	}
	r := swept(t, serving(t, resume(http.StatusGone)), observe.SweepOptions{Cuts: 10})
	if r.ExitCode(false) != 0 || r.Sweep.Undecided == 0 || !strings.Contains(page(t, r), "410") {
		t.Error(page(t, r))
	}
	r = swept(t, serving(t, resume(http.StatusBadRequest)), observe.SweepOptions{Cuts: 10})
	if v := verdicts(r); !slices.Contains(v, "helix.resume.complete") || !strings.Contains(page(t, r), "is answered 400") {
		t.Error(page(t, r))
	}
}

// TestClosingEarly: a body that ends before the stream does is resumed, as
// EventSource would.
func TestClosingEarly(t *testing.T) {
	at := serving(t, func(w http.ResponseWriter, r *http.Request) {
		c := cursorOf(r)
		if c == 0 {
			_, _ = io.WriteString(w, three()+end)
		} else if c < 3 {
			_, _ = io.WriteString(w, delta(c+1, []string{"é漢", "c"}[c-1])+"id: 9\ndata: {\"ty") // cut in mid-frame
		} else if c == 3 {
			_, _ = io.WriteString(w, end)
		} else {
			w.WriteHeader(http.StatusNoContent)
		}
	})
	if r := swept(t, at, observe.SweepOptions{Cuts: 10}); len(slices.DeleteFunc(verdicts(r), func(id string) bool {
		return id == "helix.wire.blank-line"
	})) > 0 {
		t.Error(page(t, r))
	}
}

func TestWhatCantBeSwept(t *testing.T) {
	var runs atomic.Int64
	for name, c := range map[string]struct {
		url, says string
		exit      int
	}{
		"no ids": {answering(t, "data: {\"type\":\"chunk\",\"chunk\":"+bare(1, "a")+",\"sequence\":1}\n\n"), "nothing to resume after", 1},
		"a new run each time": {serving(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.ReplaceAll(three(), "delta\":\"", fmt.Sprintf("delta\":\"%d", runs.Add(1)))+end)
		}), "starts a new run", 1},
		"read once": {serving(t, func(w http.ResponseWriter, _ *http.Request) {
			if runs.Add(1000) < 2000 {
				_, _ = io.WriteString(w, three()+end)
			} else {
				http.Error(w, "no", http.StatusNotFound)
			}
		}), "could be read only once: the server answers 404", 3},
	} {
		r := swept(t, c.url, observe.SweepOptions{})
		if text := page(t, r); strings.Count(text, c.says) != 1 || r.ExitCode(false) != c.exit {
			t.Errorf("%s: want %q and exit code %d\n%s", name, c.says, c.exit, text)
		}
	}
}

// TestOnlyACutShows: a server that counts connections loses an event on the
// third only, or where the disconnect was inside a frame.
func TestOnlyACutShows(t *testing.T) {
	var mu sync.Mutex
	behind := false // a connection was cut in mid-frame before this one
	at := serving(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock() // until the connection is served, or the next one could overtake it
		defer mu.Unlock()
		skip := 0
		if behind && cursorOf(r) == 2 {
			skip = 1
		}
		behind = false
		c := cursorOf(r)
		if c > 6 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		for i := c + 1 + skip; i <= 6; i++ {
			text := delta(i, "漢")
			flushed(w, text[:len(text)/2])
			flushed(w, text[len(text)/2:])
		}
		behind = c == 0
		_, _ = io.WriteString(w, "id: 7\ndata: {\"type\":\"end\"}\n\n")
	})
	r := swept(t, at, observe.SweepOptions{Seed: 1, Concurrency: 1})
	q, ok := has(r, "helix.resume.cycles")
	if !ok || q.Found == 0 || len(q.Findings) != 1 || slices.Contains(verdicts(r), "helix.resume.complete") {
		t.Fatal(page(t, r))
	}
	text := page(t, r)
	place := len(delta(1, "漢") + delta(2, "漢"))
	if !strings.Contains(text, fmt.Sprintf("--sweep --cut %d ", place)) || !strings.Contains(text, fmt.Sprintf("cut after %d bytes, resumed after event 2", place)) {
		t.Error(text)
	}
	inside := place + strings.Index(delta(3, "漢"), "漢") + 1
	r = swept(t, at, observe.SweepOptions{At: []int64{int64(inside)}})
	if text := page(t, r); !strings.Contains(text, fmt.Sprintf("cut after %d bytes, in the middle of event 3, inside a character, resumed after event 2", inside)) {
		t.Error(text)
	}
}

func TestACaptureKeepsTheBody(t *testing.T) {
	for _, body := range []string{"\xef\xbb\xbf" + three() + end, three() + "id: 4\r\ndata", "", "\xef"} {
		var b bytes.Buffer
		r := observe.Request{URL: answering(t, body) + "/?access_token=very-secret", Header: http.Header{"X-Key": {"very-secret"}}}
		see(t, r, observe.Options{Save: &b})
		marked := strings.HasPrefix(body, "\xef\xbb\xbf")
		got := b.String()
		if marked {
			got = strings.TrimPrefix(got, "\xef\xbb\xbf")
		}
		head, rest, _ := strings.Cut(got, "\n\n")
		if strings.TrimPrefix(body, "\xef\xbb\xbf") != rest || !strings.HasPrefix(head, ": GET http") ||
			!strings.Contains(head, "\n: HTTP/1.1 200\n") || !strings.Contains(head, "\n: content-type: text/event-stream") ||
			strings.Contains(got, "very-secret") || strings.HasPrefix(b.String(), "\xef\xbb\xbf") != marked {
			t.Errorf("%q became %q", body, b.String())
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestACaptureThatCantBeWritten(t *testing.T) {
	_, err := observe.Observe(context.Background(), observe.Request{URL: answering(t, three()+end)}, observe.Options{Packs: packs.All(), Load: load, Save: broken{}})
	if err == nil || !strings.Contains(err.Error(), "writing the capture") {
		t.Error(err)
	}
}

func TestAnInterruptLeavesAResult(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	at := serving(t, func(w http.ResponseWriter, r *http.Request) {
		flushed(w, three())
		cancel()
		<-r.Context().Done()
	})
	r, err := observe.Observe(ctx, observe.Request{URL: at}, observe.Options{Packs: packs.All(), Load: load, Sweep: &observe.SweepOptions{}, Quiet: time.Minute})
	if err != nil || !strings.Contains(r.End, "interrupted") || r.Sweep.Unproven == "" {
		// The interrupt may also meet the head, and then nothing was read.
		if err == nil || !strings.Contains(err.Error(), "cancel") {
			t.Error(r, err)
		}
	}
}

func TestJSON(t *testing.T) {
	r := see(t, observe.Request{URL: log(t, 4, func(c int) int { return c + min(c, 1) }), Header: http.Header{"Cookie": {"very-secret"}}},
		observe.Options{Sweep: &observe.SweepOptions{Seed: 7}})
	var b bytes.Buffer
	if err := r.JSON(&b, true); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Kind         string
		Requirements []struct {
			ID, Verdict string
			Findings    []struct{ Message, Rerun string }
		}
		Sweep struct{ Seed, Events int }
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Kind != "helix" || doc.Sweep.Seed != 7 || doc.Sweep.Events != 4 || strings.Contains(b.String(), "very-secret") {
		t.Error(b.String())
	}
	for _, q := range doc.Requirements {
		if q.ID == "helix.resume.complete" && q.Verdict == "fail" && len(q.Findings) == 1 && q.Findings[0].Rerun != "" {
			return
		}
	}
	t.Error(b.String())
}

func TestShown(t *testing.T) {
	for in, want := range map[string]string{
		"http://u:p@h/a?b=c":              "http://***@h/a?b=c",
		"https://h/?x=1&api_key=2&Sig=3#": "https://h/?x=1&api_key=***&Sig=***",
		"http://[::1":                     "the URL",
	} {
		if got := client.Shown(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}

// TestFreeMembersMayDiffer: frames may say when they were sent.
func TestFreeMembersMayDiffer(t *testing.T) {
	var n atomic.Int64
	stamped := func(frame string) string {
		return strings.Replace(frame, `"type":"`, fmt.Sprintf(`"sentAt":%d, "type":"`, n.Add(1)), 1)
	}
	at := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if cursorOf(r) > 3 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		for i := cursorOf(r) + 1; i <= 3; i++ {
			_, _ = io.WriteString(w, stamped(delta(i, "é")))
		}
		_, _ = io.WriteString(w, stamped(end))
	})
	for _, id := range verdicts(swept(t, at, observe.SweepOptions{Cuts: 10})) {
		if strings.HasPrefix(id, "helix.resume.") {
			t.Errorf("%s is blamed", id)
		}
	}
}

// TestTheWritingMayDiffer: a value is the same however it is written.
func TestTheWritingMayDiffer(t *testing.T) {
	var n atomic.Int64
	at := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if cursorOf(r) > 3 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		body := three() + end
		body = body[strings.Index(body, fmt.Sprintf("id: %d\n", cursorOf(r)+1)):]
		if n.Add(1)%2 == 0 {
			body = strings.ReplaceAll(body, `"step":1,`, ` "step" : 10.0e-1 , `)
			body = strings.ReplaceAll(body, `"agentId":"a","agentType":"t"`, `"agentType":"\u0074","agentId":"a"`)
		}
		_, _ = io.WriteString(w, body)
	})
	if v := verdicts(swept(t, at, observe.SweepOptions{Cuts: 10})); slices.Contains(v, "helix.resume.stable") {
		t.Error(v)
	}
}

// TestAnEventThatWasAwayOnce: an event that the second read lacks is ignored from then on.
func TestAnEventThatWasAwayOnce(t *testing.T) {
	var n atomic.Int64
	at := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if cursorOf(r) > 3 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		second := n.Add(1) == 2
		for i := cursorOf(r) + 1; i <= 3; i++ {
			if i != 2 || !second {
				_, _ = io.WriteString(w, delta(i, "é"))
			}
		}
		_, _ = io.WriteString(w, end)
	})
	r := swept(t, at, observe.SweepOptions{Cuts: 10})
	if len(verdicts(r)) > 0 || !strings.Contains(page(t, r), "1 event of the first read not there") {
		t.Error(page(t, r))
	}
}

// TestSecretsThatComeBack: some servers echo the request.
func TestSecretsThatComeBack(t *testing.T) {
	status := http.StatusOK
	at := serving(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "id: x\ndata: "+r.Header.Get("Authorization")+"\n\n")
	})
	r := observe.Request{URL: at, Header: http.Header{"Authorization": {"Bearer very-secret"}}}
	res := see(t, r, observe.Options{})
	var b bytes.Buffer
	if err := res.JSON(&b, false); err != nil {
		t.Fatal(err)
	}
	status = http.StatusForbidden
	_, err := observe.Observe(context.Background(), r, observe.Options{Packs: packs.All(), Load: load})
	if all := page(t, res) + b.String() + err.Error(); strings.Contains(all, "very-secret") || strings.Count(all, "***") < 3 {
		t.Error(all)
	}
}

// TestALimitOfReaders: a server that refuses many readers at a time resumes correctly,
// even if it notices with a delay that the others left.
func TestALimitOfReaders(t *testing.T) {
	const late = 300 * time.Millisecond
	var inside atomic.Int64
	inner := log(t, 6, func(c int) int { return c })
	at := serving(t, func(w http.ResponseWriter, r *http.Request) {
		defer time.AfterFunc(late, func() { inside.Add(-1) })
		if inside.Add(1) > 2 {
			http.Error(w, "too many", http.StatusConflict)
			return
		}
		req, _ := http.NewRequestWithContext(r.Context(), http.MethodGet, inner, nil)
		req.Header = r.Header.Clone()
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			return
		}
		defer res.Body.Close()
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body)
	})
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	r := swept(t, at, observe.SweepOptions{Seed: 1, Cuts: 20, Concurrency: 12})
	if r.ExitCode(false) != 0 {
		t.Error(page(t, r))
	}
}

// TestIDsThatAreOnlyThereOnce: who resumes gets a chunk without an id.
func TestIDsThatAreOnlyThereOnce(t *testing.T) {
	inner := func(c int) string {
		body := three() + end
		body = body[strings.Index(body, fmt.Sprintf("id: %d\n", c+1)):]
		if c > 0 {
			body = strings.Replace(body, "id: 3\n", "", 1)
		}
		return body
	}
	at := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if cursorOf(r) > 3 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		_, _ = io.WriteString(w, inner(cursorOf(r)))
	})
	if v := verdicts(swept(t, at, observe.SweepOptions{Cuts: 10})); !slices.Equal(v, []string{"helix.wire.chunk-id"}) {
		t.Error(v)
	}
}

// TestStreamLabelledAsPage is judged by its content.
func TestStreamLabelledAsPage(t *testing.T) {
	at := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, three()+end)
	})
	if v := verdicts(see(t, observe.Request{URL: at}, observe.Options{})); !slices.Equal(v, []string{"helix.wire.content-type"}) {
		t.Error(v)
	}
}

// TestHostileResumes: a server that is right at first, and hostile to who comes back.
func TestHostileResumes(t *testing.T) {
	forever := func(piece string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for batch := strings.Repeat(piece, 4096); ; {
				if _, err := io.WriteString(w, batch); err != nil {
					return
				}
			}
		}
	}
	// A server that answers has time to, however busy the machine is.
	const short, long = 100 * time.Millisecond, 20 * time.Second
	for name, c := range map[string]struct {
		h     http.HandlerFunc
		grace time.Duration
		says  string
	}{
		"endless comments": {forever(": x\n\n"), short, "within 100ms"},
		"an endless line":  {forever("data: x"), long, "helix.resume.complete"},
		"no answer":        {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, short, "no answer within 100ms"},
		"a reset":          {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, long, "the connection breaks before an answer"},
		"an empty body":    {func(http.ResponseWriter, *http.Request) {}, long, "the server closes the body without sending it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := serving(t, func(w http.ResponseWriter, r *http.Request) {
				if cursorOf(r) > 0 {
					c.h(w, r)
					return
				}
				_, _ = io.WriteString(w, three()+end)
			})
			r := sweptIn(t, at, c.grace, observe.SweepOptions{Seed: 1, At: []int64{60, 110, 170}})
			if text := page(t, r); !strings.Contains(text, c.says) || r.ExitCode(false) == 0 {
				t.Errorf("want %q, got exit code %d:\n%s", c.says, r.ExitCode(false), text)
			}
		})
	}
}
