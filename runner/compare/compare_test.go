package compare_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/streamcert/streamcert/runner/compare"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

const esc = "\x1b[2J<script>"

// named returns a report of verdicts by the last part of their ids; a verdict and a text after a colon fails with that text.
func named(name string, earned bool, verdicts ...string) compare.Named {
	r := &report.Report{Suite: report.Suite{Name: "streamcert", Pack: "toy", Version: "1"}, Target: report.Target{URL: "http://" + name}}
	for i, v := range verdicts {
		word, text, found := strings.Cut(v, ":")
		if word == "" {
			continue
		}
		q := report.Requirement{ID: fmt.Sprintf("toy.a.r%d", i), Level: "MUST", Verdict: report.Verdict(word)}
		if found {
			q.Findings = []record.Finding{{Message: text, Got: text}}
		}
		r.Requirements = append(r.Requirements, q)
	}
	r.Count()
	r.Classes = []report.Class{{Name: "Core", Earned: earned}, {Name: "Far", Unclaimed: "no address"}}
	if !earned {
		r.Classes[0].Missing = []report.Missing{{ID: "toy.a.r0", Verdict: report.Fail}}
	}
	return compare.Named{Name: name + ".json", Report: r}
}

func TestTwo(t *testing.T) {
	before := named("a", true, "pass", "fail:x", "fail:came A-17", "fail:one", "pass", "unprovable", "", "pass", "known:x", "warn:w", "fail:gone")
	after := named("b", false, "fail:new"+esc, "pass", "fail:came B-18", "fail:two", "unprovable", "pass", "fail:added", "", "pass", "warn:w", "unprovable")
	r, err := compare.Two(before, after)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		got  []compare.Change
		want string
	}{
		"broke": {r.Broke, "r0 r6"}, "mended": {r.Mended, "r1 r8"}, "words": {r.Words, "r3"},
		"unproven": {r.Unproven, "r4 r10 r7"}, "proven": {r.Proven, "r5"},
	} {
		var ids []string
		for _, change := range c.got {
			ids = append(ids, strings.TrimPrefix(change.ID, "toy.a."))
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
	if fmt.Sprint(r.Lost, r.Earned) != "[Core] []" || !r.Worse() {
		t.Errorf("lost %v, earned %v", r.Lost, r.Earned)
	}
	var console bytes.Buffer
	if err := r.WriteConsole(&console); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"BROKE (2)\n  toy.a.r0 (MUST)  pass, then fail\n    is   new\\x1b[2J", "  toy.a.r7 (MUST)  pass, then not in the report\n",
		"  toy.a.r3 (MUST)  still fail\n", "2 broke, 2 mended, 1 in other words, 3 no longer proven, 1 proven now · classes lost: Core\n"} {
		if !strings.Contains(console.String(), want) {
			t.Errorf("no %q in\n%s", want, console.String())
		}
	}
	if same, err := compare.Two(before, before); err != nil || same.Worse() || !strings.HasPrefix(same.Sum(), "0 broke, 0 mended, 0 in") {
		t.Errorf("a report and itself: %v, %s", err, same.Sum())
	}
}

func TestTwoSayWhatElseDiffers(t *testing.T) {
	before, after := named("a", true, "pass"), named("b", true, "pass")
	after.Suite.Seed, after.Suite.Effort, after.Suite.Digest, after.Interrupted = 7, "quick", "sha256:1", true
	r, err := compare.Two(before, after)
	if want := "digest of the suite: none, then sha256:1\nseed: 0, then 7\neffort: none, then quick\nb.json is of a run that ended early"; err != nil || strings.Join(r.Notes, "\n") != want {
		t.Errorf("%v, %q", err, r.Notes)
	}
	after.Suite.Pack = "other"
	if _, err := compare.Two(before, after); err == nil || err.Error() != "a.json is a report of pack toy and b.json one of other; expected two of one pack" {
		t.Errorf("got %v", err)
	}
}

func TestTables(t *testing.T) {
	other := named("c", true, "pass")
	other.Suite.Pack, other.Classes = "other", []report.Class{{Name: "Wide", Earned: true}}
	late := named("d"+esc, true, "pass")
	late.Classes = append(late.Classes, report.Class{Name: "New", Earned: true})
	tables := compare.Tables([]compare.Named{named("a", true, "pass"), other, named("b", false, "fail:x"), late})
	var text bytes.Buffer
	if err := compare.WriteTables(&text, tables); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	if len(tables) != 2 || len(lines) != 8 || strings.Contains(text.String(), "\x1b") {
		t.Fatalf("%q", text.String())
	}
	for i, want := range []string{"toy verdict Core Far New report", "http://a error ✓ earned – not claimed · not in the report a.json", "http://b fail ✗ 1 fail – not claimed"} {
		if got := strings.Join(strings.Fields(lines[i]), " "); !strings.HasPrefix(got, want) {
			t.Errorf("line %d is %q, want %q", i+1, got, want)
		}
	}
}

// TestPage: it has the content of the console, loads nothing, and escapes data of servers.
func TestPage(t *testing.T) {
	before, after := named("a", true, "pass", "fail:x"), named("b"+esc, false, "fail:new"+esc, "pass")
	r, err := compare.Two(before, after)
	if err != nil {
		t.Fatal(err)
	}
	tables := compare.Tables([]compare.Named{before, after})
	for name, result := range map[string]*compare.Result{"two": r, "many": nil} {
		var b bytes.Buffer
		if err := compare.WritePage(&b, result, tables); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"<title>" + compare.PageMark, "✓ earned", "✗ 1 fail", "– not claimed"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: the page lacks %q", name, want)
			}
		}
		if two := strings.Contains(b.String(), "toy.a.r0"); two != (result != nil) {
			t.Errorf("%s: a change is shown: %v", name, two)
		}
		doc, err := html.Parse(&b)
		if err != nil {
			t.Fatal(err)
		}
		for n := range doc.Descendants() {
			if n.Data == "script" && n.Type == html.ElementNode {
				t.Errorf("%s: a script is on the page", name)
			}
			for _, a := range n.Attr {
				if a.Key == "src" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
				}
			}
		}
	}
}
