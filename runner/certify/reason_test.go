package certify

import (
	"testing"

	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

func TestReasonsAreWords(t *testing.T) {
	for reason, want := range map[string]string{
		`a model can't provoke the act {"chunk": {"type": "custom", "data": {"of": 9}}}, and so on`:         "a model can't provoke the act chunk of type custom, and so on",
		`a model can't provoke the act {"part": {"type": "source-url"}}, and then {"a": 1, "b": 2}, and so`: "a model can't provoke the act part of type source-url, and then some JSON, and so",
		`the agent doesn't know how: {"error":{"code":"x","message":"no act \"jump\""}}`:                    `the agent doesn't know how: no act "jump"`,
		`the agent doesn't know how: {"detail":[{"msg":"m","type":"missing"}]}`:                             "the agent doesn't know how: of type missing",
		`it was cut: {"error": "a lo…`: "it was cut: some JSON",
		`["a", "b"] came`:              "a came",
		"POST /control/streams/{stream}/writers at http://[::1]:80 ended with [DONE] {": "POST /control/streams/{stream}/writers at http://[::1]:80 ended with [DONE] {",
		`{"error":"{\"error\":\"{\"}"}`: "some JSON",
	} {
		if got := inWords(reason); got != want {
			t.Errorf("%s\n got %s\nwant %s", reason, got, want)
		}
	}
}

func TestOneReasonForWhatTheModelCantProvoke(t *testing.T) {
	for _, reason := range []string{target.Unmodelled("a call").Error(), target.Unmodelled("an aggregate").Error()} {
		if got := reasonOf(reason); got != byModelAlone {
			t.Errorf("%q becomes %q", reason, got)
		}
	}
	if got := reasonOf("never exercised"); got != "never exercised" {
		t.Errorf("got %q", got)
	}
}

func TestUnearnable(t *testing.T) {
	open := report.Missing{ID: "a.b.c", Verdict: report.Unprovable}
	rep := &report.Report{
		Requirements: []report.Requirement{{ID: open.ID, Verdict: report.Unprovable, Reason: byModelAlone}},
		Classes:      []report.Class{{Name: "A", Missing: []report.Missing{open}}, {Name: "B", Unclaimed: "no"}},
	}
	const want = "no class can be earned by the model alone, because each has requirements that only the control binding provokes, at least a.b.c"
	if got := unearnable(rep); got != want {
		t.Errorf("got %q", got)
	}
	rep.Classes[1].Unclaimed = ""
	if got := unearnable(rep); got != "" {
		t.Errorf("one class can be earned, and the report says %q", got)
	}
}
