package observe_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/observe"
)

// post makes a control call and returns its answer.
func post(t *testing.T, to, body string) string {
	t.Helper()
	res, err := http.Post(to, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode/100 != 2 {
		t.Fatal(to, res.StatusCode, err, string(b))
	}
	return string(b)
}

// filled writes n chunks to a stream and returns where it is read.
func filled(t *testing.T, base string, n int, how string) string {
	t.Helper()
	control := base + "/control/streams/s"
	answer := post(t, control+"/writers", `{"agentId":"a","agentType":"t"}`)
	_, id, _ := strings.Cut(answer, `"writerId":"`)
	id, _, _ = strings.Cut(id, `"`)
	var all []string
	for i := range n {
		all = append(all, bare(i+1, fmt.Sprintf("word %d é漢😀", i+1)))
	}
	post(t, control+"/writers/"+url.PathEscape(id)+"/chunks", "["+strings.Join(all, ",")+"]")
	switch how {
	case "end":
		post(t, control+"/end", `{"finalOutput":{"ok":true}}`)
	case "fail":
		post(t, control+"/fail", `{"error":"no","code":"tool_timeout"}`)
	}
	return base + "/streams/s/events"
}

type closer interface {
	http.Handler
	Close()
}

func start(t *testing.T, h closer) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		h.Close()
		s.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return s.URL
}

func swept(t *testing.T, at string, o observe.SweepOptions) *observe.Result {
	t.Helper()
	return sweptIn(t, at, 2*time.Second, o)
}

func sweptIn(t *testing.T, at string, grace time.Duration, o observe.SweepOptions) *observe.Result {
	t.Helper()
	return see(t, observe.Request{URL: at}, observe.Options{Sweep: &o, Quiet: 50 * time.Millisecond, Grace: grace})
}

func TestSweepOfTheReference(t *testing.T) {
	for _, how := range []string{"end", "fail", "active"} {
		t.Run(how, func(t *testing.T) {
			at := filled(t, start(t, reference.New(reference.Options{})), 12, how)
			r := swept(t, at, observe.SweepOptions{Seed: 1, Cuts: 60})
			if r.ExitCode(true) != 0 || r.Sweep.Undecided != 0 || r.Sweep.Unproven != "" || len(r.Notes) > 0 {
				t.Fatal(page(t, r))
			}
			want := []string{"helix.resume.after-cursor", "helix.resume.complete", "helix.resume.stable", "helix.resume.cycles"}
			if how != "active" {
				want = append(want, "helix.resume.finished-tail", "helix.resume.no-content")
			}
			for _, id := range want {
				if _, ok := has(r, id); !ok {
					t.Errorf("%s had no occasion:\n%s", id, page(t, r))
				}
			}
			if r.Sweep.Finished == (how == "active") || r.Sweep.Events != 12 {
				t.Errorf("%+v", r.Sweep)
			}
		})
	}
}

// TestSweepOfTwoHundredEvents has to be quick enough for a terminal.
func TestSweepOfTwoHundredEvents(t *testing.T) {
	at := filled(t, start(t, reference.New(reference.Options{})), 200, "end")
	r := see(t, observe.Request{URL: at}, observe.Options{Sweep: &observe.SweepOptions{Seed: 1, Cuts: 200}, Grace: 2 * time.Second})
	if r.ExitCode(true) != 0 || r.Sweep.Cursors != 202 {
		t.Fatal(page(t, r))
	}
	t.Logf("%+v", *r.Sweep)
}

// log serves n events and a terminal frame, from the position that a function returns.
func log(t *testing.T, n int, from func(cursor int) int) string {
	t.Helper()
	return serving(t, func(w http.ResponseWriter, r *http.Request) {
		cursor, _ := strconv.Atoi(r.Header.Get("Last-Event-ID"))
		if cursor > n {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		for i := from(cursor) + 1; i <= n; i++ {
			_, _ = io.WriteString(w, delta(i, "wort é"))
		}
		fmt.Fprintf(w, "id: %d\ndata: {\"type\":\"end\"}\n\n", n+1)
	})
}

func TestAServerThatDoesntResume(t *testing.T) {
	r := swept(t, log(t, 200, func(int) int { return 0 }), observe.SweepOptions{Seed: 1})
	text := page(t, r)
	if q, ok := has(r, "helix.resume.after-cursor"); !ok || q.Found != 1 || r.ExitCode(false) != 1 ||
		strings.Count(text, "can't be resumed") != 1 || strings.Count(text, "FAIL") != 2 || r.Sweep.Connections > 10 {
		t.Error(text)
	}
}

func TestAFailureIsShrunk(t *testing.T) {
	at := log(t, 12, func(c int) int {
		if c >= 9 {
			return c + 1
		}
		return c
	})
	r := see(t, observe.Request{URL: at, Header: http.Header{"Authorization": {"Bearer very-secret"}}},
		observe.Options{Sweep: &observe.SweepOptions{Seed: 1}, Grace: time.Second})
	text := page(t, r)
	for _, part := range []string{
		"FAIL  helix.resume.complete", "event 10 is missing: event 11 comes in its place", "resumed after event 9", "✗ id: 11",
		"rerun  streamcert observe --sweep --after 9 -H 'Authorization: ***' " + at,
		"curl   curl -N -H 'Authorization: ***' -H 'Last-Event-ID: 9' " + at,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%q isn't said", part)
		}
	}
	if strings.Contains(text, "very-secret") || strings.Contains(text, "helix.resume.cycles (MUST)") {
		t.Error("a secret is shown, or one cause twice")
	}
	if t.Failed() {
		t.Log(text)
	}
	// The command that is printed shows the same.
	r = swept(t, at, observe.SweepOptions{After: "9"})
	if v := verdicts(r); len(v) != 1 || v[0] != "helix.resume.complete" || r.Sweep.Cursors != 1 {
		t.Error(page(t, r))
	}
}
