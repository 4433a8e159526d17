package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/schemas"
)

// TestProven: every form of the report names the largest of each that a server was seen to take and to deliver.
func TestProven(t *testing.T) {
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	r := made()
	r.Proven = []report.Proven{{What: "events of a stream", Most: 5000}, {What: "readers of a stream", Most: 32}}
	const said = "5000 events of a stream, 32 readers of a stream"
	if got := console(t, report.Console{}, r); !strings.Contains(got, "largest proven: "+said+"\n") {
		t.Error(got)
	}
	var page, text bytes.Buffer
	if err := (report.HTML{}).Write(&page, r); err != nil || !strings.Contains(page.String(), "<dt>Largest proven</dt><dd>"+said+"</dd>") {
		t.Errorf("%v, the page doesn't say what was proven", err)
	}
	if err := report.WriteJSON(&text, r); err != nil || !strings.Contains(text.String(), `"most": 5000`) {
		t.Errorf("%v, got %s", err, text.Bytes())
	}
	for _, f := range kit.Document("report", schemas.Strict, text.Bytes()).Findings {
		t.Errorf("%s: %s", f.Instance, f.Message)
	}
	for _, bad := range []string{`"most": 0`, `"most": "5000"`, `"at most": 5000`} {
		if kit.Document("report", schemas.Strict, bytes.Replace(text.Bytes(), []byte(`"most": 5000`), []byte(bad), 1)).OK() {
			t.Errorf("the schema accepts %s", bad)
		}
	}
	if got := console(t, report.Console{}, made()); strings.Contains(got, "cut short") {
		t.Error("a run whose campaigns were played whole says otherwise")
	}
	r.Unplayed = []report.Unplayed{{What: "a long stream", Played: 1, Of: 3}}
	page.Reset()
	if err := (report.HTML{}).Write(&page, r); err != nil || !strings.Contains(page.String(), "<dd>a long stream 1 of 3</dd>") {
		t.Errorf("%v, the page doesn't say what was cut short", err)
	}
	if got := console(t, report.Console{}, r); !strings.Contains(got, "of so many programs: a long stream 1 of 3;") {
		t.Error(got)
	}
	text.Reset()
	if err := report.WriteJSON(&text, r); err != nil || !kit.Document("report", schemas.Strict, text.Bytes()).OK() {
		t.Errorf("%v, got %s", err, text.Bytes())
	}
	if got := console(t, report.Console{}, made()); strings.Contains(got, "proven:") {
		t.Error("a run that proved nothing says otherwise")
	}
}
