package killreport_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/prove/killreport"
	"github.com/streamcert/streamcert/schemas"
)

// some has a result of every kind, made up.
func some() *killreport.Report {
	r := &killreport.Report{
		Mutants: 3, Killed: 1, KilledByOther: 1, Survived: []string{"deaf"}, All: true,
		Notes: []string{"loud breaks helix.wire.utf8 too, which its catalogue doesn't say"},
		Results: []killreport.Result{
			{
				Name: "loud", Requirement: "helix.wire.json", Summary: "It shouts <b>.", Stateful: true, Outcome: killreport.Killed,
				Tries: 2, Also: []string{"helix.wire.no-bom", "helix.http.get"}, By: []string{"helix.http.get", "helix.wire.json", "helix.wire.utf8"},
			},
			{
				Name: "deaf", Requirement: "helix.http.get", Summary: "It hears nothing.", Outcome: killreport.Survived, Also: []string{}, By: []string{},
				Unproven: []string{"A reader: unprovable: it was late"}, Tries: 3,
			},
			{Name: "mute", Requirement: "helix.chunks.step", Summary: "It says nothing.", Outcome: killreport.KilledByOther, Tries: 1, Also: []string{}, By: []string{"helix.wire.json"}},
		},
		Generated: killreport.Generated{
			Total: 2, Killed: 1, Survived: []killreport.Survivor{{Name: "a change"}},
			Excluded: []killreport.Exclusion{{Rule: "comment", Reason: "may be there", Freedom: "helix.wire.reader-comments", Count: 7}},
		},
	}
	r.Requirements.Testable, r.Requirements.Killed, r.Requirements.Without = 3, 1, []string{"helix.http.get", "helix.chunks.step"}
	return r
}

func TestMatrix(t *testing.T) {
	var page bytes.Buffer
	if err := killreport.WritePage(&page, certifytest.Load(t, "helix"), some()); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	for _, want := range []string{
		`<td class="own first" title="loud × helix.wire.json: killed, by the requirement that it breaks">●`,
		`title="loud × helix.http.get: broken by necessity">○`,
		`title="loud × helix.wire.no-bom: held, though it was expected to break too">·`,
		`title="loud × helix.wire.utf8: broken, which nobody expected">△`,
		`title="deaf × helix.http.get: survived the requirement that it breaks">✕`,
		`title="mute × helix.wire.json: broken, which nobody expected">△`,
		`It shouts &lt;b&gt;. Breaks helix.wire.json.`, `2 marks are ones`, `Without a kill: <code>helix.chunks.step</code>`,
		`a change</td><td class="missed">nobody has said`, `<code>helix.wire.reader-comments</code>`, `prefers-color-scheme: dark`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, "<script") || strings.Contains(text, "http") && strings.Contains(text, "://") {
		t.Error("the page isn't self-contained")
	}
	if strings.Index(text, ">mute<") > strings.Index(text, ">loud<") {
		t.Error("the rows aren't in the order of the columns")
	}
}

func TestUnexpected(t *testing.T) {
	r := some()
	if diff := cmp.Diff([]string{"helix.wire.utf8"}, r.Results[0].Unexpected()); diff != "" {
		t.Error(diff)
	}
	if got := r.Results[1].Unexpected(); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}

// valid checks a report against its schema.
func valid(t *testing.T, r *killreport.Report) {
	t.Helper()
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, f := range kit.Document("mutants", schemas.Strict, b.Bytes()).Findings {
		t.Errorf("the report isn't valid: %+v", f)
	}
}

func TestReportIsValid(t *testing.T) { valid(t, some()) }

func TestConsole(t *testing.T) {
	var b strings.Builder
	if err := some().WriteConsole(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"survived: deaf\n", "not proven: A reader: unprovable: it was late\n", "killed at try 2: loud\n", "killed by another: mute\n", "note: loud breaks helix.wire.utf8 too", "survived: a change\n",
		"2 generated mutants: 1 killed (50.00 %), 1 survived, 0 of them for a reason; 7 changes excluded by 1 rules\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the console lacks %q:\n%s", want, b.String())
		}
	}
	if some().OK() {
		t.Error("a report with survivors is fine")
	}
}
