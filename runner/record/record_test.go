package record_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/record"
)

// TestWords: words of older reports are still accepted, and an unknown word is refused with the list of valid ones.
func TestWords(t *testing.T) {
	type words struct {
		Kind record.Kind `json:"kind"`
		End  record.End  `json:"end,omitempty"`
	}
	for text, want := range map[string]words{
		`{"kind":"read","end":"open"}`:                 {record.Read, record.Open},
		`{"kind":"document","end":"server closes"}`:    {record.Document, record.ServerClose},
		`{"kind":"snapshot","end":"connection broke"}`: {record.Snapshot, record.Broken},
		`{"kind":"control","end":"client closes"}`:     {record.Control, record.ClientClose},
		`{"kind":""}`: {},
	} {
		var got words
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		if again, err := json.Marshal(want); err != nil || string(again) != text {
			t.Errorf("%s becomes %s, %v", text, again, err)
		}
	}
	for _, text := range []string{`{"kind":"write"}`, `{"kind":"read","end":"closed"}`} {
		var got words
		if err := json.Unmarshal([]byte(text), &got); err == nil || !strings.Contains(err.Error(), "expected one of: ") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if got := fmt.Sprint(record.End(7), record.Kind(-1)); got != "7 -1" {
		t.Error(got)
	}
}

func TestCursor(t *testing.T) {
	header := []record.Header{{Name: "accept", Value: "x"}, {Name: "last-event-id", Value: "7"}}
	for _, c := range []struct {
		request record.Request
		want    string
		has     bool
	}{
		{record.Request{Path: "/s"}, "", false},
		{record.Request{Path: "/s?fromSequence=3&x=1"}, "3", true},
		{record.Request{Path: "/s?fromSequence="}, "", true},
		{record.Request{Path: "/s?fromSequence=3", Header: header}, "7", true},
	} {
		if got, has := c.request.Cursor(); got != c.want || has != c.has {
			t.Errorf("%+v: %q, %v", c.request, got, has)
		}
	}
}

func TestResponse(t *testing.T) {
	r := record.Response{Header: []record.Header{
		{Name: "content-type", Value: " Text/Event-Stream ; charset=utf-8"}, {Name: "vary", Value: "a"}, {Name: "vary", Value: "b"},
	}}
	want := map[string][]string{"content-type": {" Text/Event-Stream ; charset=utf-8"}, "vary": {"a", "b"}}
	if diff := cmp.Diff(want, r.HeaderMap()); diff != "" || !r.IsEventStream() || r.Get("vary") != "a" || r.Get("none") != "" {
		t.Error(diff, r.IsEventStream(), r.Get("vary"))
	}
	if (record.Response{}).IsEventStream() {
		t.Error("an answer without a media type is taken for a stream")
	}
}

func TestDistinct(t *testing.T) {
	d := record.Distinct{}
	first := record.Finding{Requirement: "a", Message: "m", Want: "w", Got: "1"}
	other := first
	other.Got, other.Frame = "2", 9
	if !d.Take(first) || d.Take(other) {
		t.Error("a finding that says nothing new is kept")
	}
	kept := 1
	for n := range 100 {
		if d.Take(record.Finding{Requirement: "a", Message: fmt.Sprint(n)}) {
			kept++
		}
	}
	if kept != 32 || !d.Take(record.Finding{Requirement: "b", Message: "m", Want: "w"}) {
		t.Errorf("%d findings of one requirement are kept", kept)
	}
}
