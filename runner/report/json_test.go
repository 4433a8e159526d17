package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/report"
)

func TestVisibleJSON(t *testing.T) {
	in := "é 日本 😀 \u009b2J \u202eabc\u2066 \x7f \U000e0041 \u2028"
	quoted, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	got := string(report.VisibleJSON(quoted))
	if want := `"é 日本 😀 \u009b2J \u202eabc\u2066 \u007f \udb40\udc41 \u2028"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var back string
	if err := json.Unmarshal([]byte(got), &back); err != nil || back != in {
		t.Errorf("it means %q, %v", back, err)
	}
}

// TestJSONInPieces compares the document with the one that the encoder makes of
// everything at once.
func TestJSONInPieces(t *testing.T) {
	empty := made()
	empty.Scenarios = []report.Scenario{}
	for name, r := range map[string]*report.Report{"made": made(), "recorded": recorded(), "no scenario": empty} {
		var got, want bytes.Buffer
		if err := report.WriteJSON(&got, r); err != nil {
			t.Fatal(err)
		}
		var value report.Report
		if err := json.Unmarshal(got.Bytes(), &value); err != nil {
			t.Fatal(err)
		}
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(value); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.String(), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestJSONOnATerminal(t *testing.T) {
	r := made()
	r.Requirements[0].Sentence = "\u009b2J \u202e"
	var b bytes.Buffer
	if err := report.WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\u009b\u202e") {
		t.Error("a character that a terminal obeys stands raw in the document")
	}
}
