package explain_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/explain"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove/listed"
)

// broken returns a catalogue of two for the tests that only search names.
func broken() []listed.Mutant {
	return []listed.Mutant{
		{Name: "forgetful-resume", Requirement: "helix.resume.complete", Summary: "It skips an event.", Also: []string{"helix.resume.after-cursor"}},
		{Name: "inclusive-resume", Requirement: "helix.resume.after-cursor", Summary: "It repeats the cursor's event."},
	}
}

func explained(t *testing.T, s *pack.Suite, pattern string) []explain.Explanation {
	t.Helper()
	got, err := explain.Find(s, broken(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestExplainFinds(t *testing.T) {
	s := certifytest.Load(t, "helix")
	for pattern, want := range map[string][]string{
		"helix.resume.after-cursor": {"helix.resume.after-cursor"},
		"resume.after-cursor":       {"helix.resume.after-cursor"},
		"forgetful-resume":          {"helix.resume.complete"},
		"resume.after-*":            {"helix.resume.after-cursor", "helix.resume.after-idle"},
	} {
		var got []string
		for _, e := range explained(t, s, pattern) {
			got = append(got, e.Requirement.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", pattern, diff)
		}
	}
}

func TestExplainSuggests(t *testing.T) {
	s := certifytest.Load(t, "helix")
	for pattern, want := range map[string]string{
		"helix.resume.after-curser": "did you mean helix.resume.after-cursor",
		"after-cursor":              "did you mean helix.resume.after-cursor?",
		"inclusive-resum":           "did you mean inclusive-resume?",
		"qqqqqqq":                   "is named \"qqqqqqq\"; `streamcert certify --reference --list` lists the requirements$",
		"resume.[":                  "a [ is not closed",
		// Compared with every name, this would take minutes.
		strings.Repeat("*a", 30_000): "lists the requirements$",
		"":                           "is named \"\"; `streamcert certify --reference --list` lists the requirements$",
	} {
		_, err := explain.Find(s, broken(), pattern)
		var selection *pack.SelectionError
		if !errors.As(err, &selection) || !strings.Contains(err.Error()+"$", want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", pattern, err, want)
		}
	}
}

func TestExplainShowsEverything(t *testing.T) {
	s := *certifytest.Load(t, "helix")
	long := strings.Repeat("x", 1000)
	s.Files.Golden = fstest.MapFS{"helix/resume/resuming-after-event.txt": {Data: []byte(
		"# helix.resume.after-cursor · Resuming\n== the client resumes\n> GET /" + long + "\n< 200\n" +
			strings.Repeat("id: 1\n\n", 30) + "== server closes\n")}}
	var b bytes.Buffer
	e := explained(t, &s, "helix.resume.after-cursor")[0]
	e.Keywords = []string{"schemas/a.json#", "b", "c", "d", "e", "f", "g", "h", "i"}
	if e.Golden == "" {
		t.Fatalf("no example; the scenarios are %+v", e.Scenarios)
	}
	if err := e.Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	at := 0
	for _, want := range []string{
		"helix.resume.after-cursor · MUST · capability resume · tier modelled\n",
		"  A server MUST send no chunk with a sequence of N or less after a resume at N.\n",
		"  spec/helix/7-resume.md:",
		"\nwhy\n  An inclusive cursor repeats",
		"\nscenarios\n", "    features/helix/", "      Given a stream", "      When ", "      Then ",
		"\nmutants that break it\n  inclusive-resume\n    It repeats the cursor's event.\n",
		"  forgetful-resume, by way of helix.resume.complete\n",
		"\nschemas that carry it\n  schemas/a.json#\n", "  … and 1 more\n",
		"\nexample, from golden/helix/resume/resuming-after-event.txt\n  # helix.resume.after-cursor · Resuming\n", "xxx…\n", "more lines\n",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("%q does not follow in\n%s", want, text)
		}
		at += i
	}
}

func TestExplainSchemaKeywords(t *testing.T) {
	e := explained(t, certifytest.Load(t, "helix"), "helix.chunks.members")[0]
	const want = "schemas/helix/chunks/text_delta.json#"
	found := false
	for _, place := range e.Keywords {
		found = found || place == want
		if strings.Contains(place, "x-invalid") {
			t.Errorf("%s is an example", place)
		}
	}
	if !found {
		t.Errorf("%s is not in %q", want, e.Keywords)
	}
}

// TestExplainGivesTheReason: the explanation of a requirement without a verdict has the reason.
func TestExplainGivesTheReason(t *testing.T) {
	e := explained(t, certifytest.Load(t, "helix"), "helix.resume.after-cursor")[0]
	e.Requirement.Withdrawn, e.Requirement.Untestable = "a better one came", "nobody looks"
	var b bytes.Buffer
	if err := e.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  withdrawn: a better one came\n", "  untestable: nobody looks\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}
