package campaign_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target"
)

func TestEffort(t *testing.T) {
	for _, c := range []struct {
		effort campaign.Effort
		known  bool
		of     int
	}{{"", false, 0}, {campaign.Quick, true, 0}, {campaign.Standard, true, 3}, {campaign.Thorough, true, 150}, {"huge", false, 0}} {
		if c.effort.Known() != c.known || c.effort.Of(3) != c.of || c.effort.Plays() != (c.of > 0) {
			t.Errorf("%q: known %v, plays %v, %d of 3", c.effort, c.effort.Known(), c.effort.Plays(), c.effort.Of(3))
		}
	}
}

// TestSize: sizes are within bounds, mostly small, and at boundaries and next to them.
func TestSize(t *testing.T) {
	r := campaign.NewDraw(1, 1)
	seen, small := map[int]bool{}, 0
	for range 20_000 {
		n := campaign.Size(r, 1200)
		if n < 1 || n > 1200 {
			t.Fatalf("got %d", n)
		}
		seen[n] = true
		if n <= 64 {
			small++
		}
	}
	for _, n := range []int{1, 99, 100, 101, 255, 256, 257, 999, 1000, 1001, 1200} {
		if !seen[n] {
			t.Errorf("%d was never drawn", n)
		}
	}
	if small < 8000 {
		t.Errorf("only %d of 20000 are small", small)
	}
	if campaign.Size(r, 0) != 1 {
		t.Error("a size is at least 1")
	}
}

func TestText(t *testing.T) {
	for _, class := range campaign.Classes() {
		if !campaign.IsClass(class) {
			t.Errorf("%s is no class", class)
		}
		for n := range 20 {
			long := campaign.Text(class, n, 1000)
			if got := campaign.Text(class, n, 1); len(got) > 60 || len(long) < 900 || len(long) > 1000 || long != campaign.Text(class, n, 1000) {
				t.Errorf("%s %d: %d and %d bytes", class, n, len(got), len(long))
			}
		}
	}
	wide := campaign.Text("astral", 0, 1<<20)
	if n := len(wide); n > 1<<20 || n < 1<<20-4 {
		t.Errorf("%d bytes, where a limit may be", n)
	}
	for _, buffer := range []int{4096, 64 << 10} {
		for shift := range 2 {
			cut := false
			for part := range slices.Chunk(utf16.Encode([]rune(strings.Repeat("x", shift)+wide)), buffer) {
				cut = cut || strings.ContainsRune(string(utf16.Decode(part)), utf8.RuneError)
			}
			if !cut {
				t.Errorf("no character is cut by buffers of %d code units behind %d others", buffer, shift)
			}
		}
	}
	if campaign.IsClass("odd") {
		t.Error("odd is a class")
	}
}

// TestTextClass: every text has its turn, but for those that a server may refuse.
func TestTextClass(t *testing.T) {
	seen := map[string]bool{}
	for n := range campaign.Texts() {
		class, i := campaign.TextClass(n)
		again, j := campaign.TextClass(n + campaign.Texts())
		if class == "nul" || class != again || i != j {
			t.Errorf("%d: %s %d, %s %d", n, class, i, again, j)
		}
		seen[campaign.Text(class, i, 1)] = true
	}
	if len(seen) < campaign.Texts()-5 { // a few are in two classes
		t.Errorf("%d texts of %d", len(seen), campaign.Texts())
	}
}

// TestValues: each value survives encoding and decoding by encoding/json.
func TestValues(t *testing.T) {
	for i, v := range campaign.Values() {
		text, err := json.Marshal(v)
		var again any
		if err != nil || json.Unmarshal(text, &again) != nil || !reflect.DeepEqual(v, again) {
			t.Errorf("value %d: %s, %v", i, text, err)
		}
	}
}

func TestWeighted(t *testing.T) {
	r := campaign.NewDraw(1, 1)
	counts := make([]int, 3)
	for range 1000 {
		counts[campaign.Weighted(r, []int{3, 0, 1})]++
	}
	if counts[1] != 0 || counts[0] < 600 || counts[2] < 150 {
		t.Errorf("got %v", counts)
	}
}

// session is one with a server whose every answer has a hundred bytes.
func session(t *testing.T, limits target.Limits, timing ...target.Timing) *target.Session {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "%100d", 1) }))
	tg, err := target.New(target.Config{URL: srv.URL, Limits: limits, Timing: append(timing, target.Timing{})[0]}, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := tg.Session(t.Context())
	t.Cleanup(func() { s.Close(); tg.Close(); srv.Close() })
	return s
}

// TestEnded: an error becomes a violation of the server, or the reason why nothing can be played.
func TestEnded(t *testing.T) {
	over, stop := context.WithCancel(t.Context())
	stop()
	wrong := campaign.Broken(nil, "toy.rule", "1", "2", "it is wrong")
	empty, full := session(t, target.Limits{}), session(t, target.Limits{Scenario: 8})
	for _, s := range []*target.Session{empty, full} {
		if _, err := s.Call("GET", "/much", nil, false); (err != nil) != (s == full) || s.Full() != (s == full) {
			t.Fatalf("an answer that is more than 8 bytes: %v", err)
		}
	}
	if v, err := campaign.Ended(t.Context(), full, wrong, "playing"); v != nil || err != nil {
		t.Errorf("the server has sent more than is kept: got %v, %v", v, err)
	}
	late := session(t, target.Limits{}, target.Timing{Scenario: time.Millisecond})
	<-late.Context().Done()
	if v, err := campaign.Ended(t.Context(), late, wrong, "playing"); v != nil || err != nil {
		t.Errorf("the server is slow: got %v, %v", v, err)
	}
	large, err := session(t, target.Limits{Answer: 8}).Call("GET", "/much", nil, false)
	if !errors.As(err, new(*target.LimitError)) {
		t.Fatalf("an answer of 100 bytes where 8 are read: %v", err)
	}
	framed, attaching := session(t, target.Limits{Frame: 8}).Attach(target.ReadRequest{Route: target.Route{Name: "events", Template: "/streams/{stream}"}, Stream: "a"})
	if attaching != nil {
		t.Fatal(attaching)
	}
	if _, ending := framed.Ended(); ending != nil || !target.IsTooLarge(framed.Now().Err) {
		t.Fatalf("a frame of 100 bytes where 8 are read: %v, %v", ending, framed.Now().Err)
	}
	for _, c := range []struct {
		err    error
		ctx    context.Context
		breach bool
		text   string // of the error; "" is none
	}{
		{nil, t.Context(), false, ""},
		{campaign.ErrBusy, t.Context(), false, ""},
		{fmt.Errorf("asking: %w", campaign.ErrUnknown), t.Context(), false, ""},
		{fmt.Errorf("asking: %w", &target.LimitError{What: "what the server sent", Limit: 8}), t.Context(), false, ""},
		{campaign.Broken(large, "toy.rule", "an answer", err.Error(), "it isn't answered"), t.Context(), false, ""},
		{campaign.Broken(framed.Exchange, "toy.rule", "a frame", "the end", "it is closed"), t.Context(), false, ""},
		{wrong, t.Context(), true, ""},
		{errors.New("no route"), t.Context(), false, "playing: no route"},
		{wrong, over, false, "playing: context canceled"},
	} {
		v, err := campaign.Ended(c.ctx, empty, c.err, "playing")
		if (v != nil) != c.breach || (err == nil) != (c.text == "") || err != nil && err.Error() != c.text {
			t.Errorf("%v: got %v, %v", c.err, v, err)
		}
	}
}

// spelledProgram is the ways in which a model writes.
type spelledProgram []string

func (p spelledProgram) Spellings() []string                     { return p }
func (p spelledProgram) SpelledIn(ways ...string) spelledProgram { return ways }
func (p spelledProgram) RuleOf(way string) string {
	if way == "dots" {
		return ""
	}
	return "toy.upstream." + way
}

// TestAttributed: a failure that disappears with the usual spelling is attributed to the one spelling that causes it.
func TestAttributed(t *testing.T) {
	for name, c := range map[string]struct {
		fails func(p spelledProgram) bool
		want  string
	}{
		"one of them":      {func(p spelledProgram) bool { return slices.Contains(p, "tabs") }, "toy.upstream.tabs"},
		"without a rule":   {func(p spelledProgram) bool { return slices.Contains(p, "dots") }, "toy.text"},
		"whatever it does": {func(spelledProgram) bool { return true }, ""},
		"both together":    {func(p spelledProgram) bool { return len(p) == 2 }, ""},
	} {
		f := &campaign.Failure[spelledProgram]{Program: spelledProgram{"dots", "tabs"}}
		f.Requirement, f.Message = "toy.text", "a text is lost"
		got := campaign.Attributed(f, func(p spelledProgram) *campaign.Failure[spelledProgram] {
			if c.fails(p) {
				return f
			}
			return nil
		})
		if (got == f) != (c.want == "") || got != f && (got.Requirement != c.want || !strings.Contains(got.Message, "writes its events with ")) {
			t.Errorf("%s: got %s: %s", name, got.Requirement, got.Message)
		}
	}
}
