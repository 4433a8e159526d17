package baseline_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/baseline"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/spec"
)

// book has four requirements that a run can have a verdict on, and one that it can't.
func book(t *testing.T) *spec.Book {
	t.Helper()
	b, _, err := spec.Load(spec.FS)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Ids of the book, in its order.
const (
	a = "helix.resume.complete"
	b = "helix.resume.after-cursor"
	c = "helix.resume.stable"
	d = "aep.done.text"
)

func run(strict bool, verdicts map[string]report.Verdict) *report.Report {
	r := &report.Report{Suite: report.Suite{Pack: "helix", Strict: strict}}
	for _, id := range []string{a, b, c, d} {
		if v, ok := verdicts[id]; ok {
			r.Requirements = append(r.Requirements, report.Requirement{ID: id, Verdict: v})
		}
	}
	return r
}

func read(t *testing.T, text string) *baseline.Baseline {
	t.Helper()
	out, err := baseline.Read("b.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestProblems(t *testing.T) {
	in := read(t, a+": {reason: x}\n"+b+": {reason: \" \"}\n"+c+": {reason: y}\n"+d+":\nhelix.x.y: {reason: z}\n")
	for name, test := range map[string]struct {
		verdicts map[string]report.Verdict
		want     []string
	}{
		"all fail":     {map[string]report.Verdict{a: report.Known, b: report.Fail, c: report.Known}, []string{":2: " + b + ": its reason", ":5: helix.x.y: there is no such"}},
		"one passes":   {map[string]report.Verdict{a: report.Pass, b: report.Fail, c: report.Known}, []string{":1: " + a + ": it passes", ":2:", ":5:"}},
		"not selected": {map[string]report.Verdict{b: report.Fail}, []string{":2:", ":5:"}},
		"not proven":   {map[string]report.Verdict{a: report.Unprovable, b: report.Pass, c: report.Error}, []string{":2: " + b + ": it passes", ":5:"}},
	} {
		got := in.Problems(book(t), run(false, test.verdicts))
		if len(got) != len(test.want) {
			t.Errorf("%s: got %q", name, got)
			continue
		}
		for i, want := range test.want {
			if !strings.HasPrefix(got[i], "b.yaml"+want) {
				t.Errorf("%s: got %q, want b.yaml%s…", name, got[i], want)
			}
		}
	}
	var none *baseline.Baseline
	if got := none.Problems(book(t), run(false, map[string]report.Verdict{a: report.Pass})); got != nil || none.Known() != nil {
		t.Errorf("without a baseline: %q", got)
	}
}

func TestNoVerdictIsPossible(t *testing.T) {
	all := book(t)
	for _, q := range all.Requirements {
		if !q.Testable() {
			got := read(t, q.ID+": {reason: x}").Problems(all, run(false, nil))
			if len(got) != 1 || !strings.Contains(got[0], "no run has a verdict") {
				t.Errorf("got %q", got)
			}
			return
		}
	}
	t.Fatal("every requirement can be tested: nothing is proven")
}

func TestMerge(t *testing.T) {
	old := a + ": {reason: one}\n" + b + ": {reason: two}\n" + d + ": {reason: other pack}\nhelix.x.y: {reason: gone}\n"
	for name, test := range map[string]struct {
		old    string
		strict bool
		run    map[string]report.Verdict
		want   map[string]string
	}{
		"new":          {"", false, map[string]report.Verdict{a: report.Fail, b: report.Warn, c: report.Pass}, map[string]string{a: ""}},
		"strict":       {"", true, map[string]report.Verdict{a: report.Fail, b: report.Warn, c: report.Pass}, map[string]string{a: "", b: ""}},
		"reasons stay": {old, false, map[string]report.Verdict{a: report.Known, b: report.Fail, c: report.Fail}, map[string]string{a: "one", b: "two", c: "", d: "other pack"}},
		"passes go":    {old, false, map[string]report.Verdict{a: report.Pass, b: report.Fail}, map[string]string{b: "two", d: "other pack"}},
		"unseen stay":  {old, false, map[string]report.Verdict{a: report.Unprovable}, map[string]string{a: "one", b: "two", d: "other pack"}},
	} {
		got := map[string]string{}
		for id, e := range read(t, test.old).Merge(book(t), run(test.strict, test.run)).Entries {
			got[id] = e.Reason
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	var none *baseline.Baseline
	if got := none.Merge(book(t), run(false, map[string]report.Verdict{a: report.Fail})); len(got.Entries) != 1 {
		t.Errorf("got %v", got.Entries)
	}
}

// TestWriteReadsBack: reasons with everything that could break YAML.
func TestWriteReadsBack(t *testing.T) {
	for _, reason := range []string{"", "plain", `"quoted" 'both' # no comment: [x] {y}`, "two\nlines\ttab", "é 🙂 \u2028", "null", "<b>&", "\\n", "0x10"} {
		in := &baseline.Baseline{Entries: map[string]baseline.Entry{a: {Reason: reason}, d: {Reason: "x"}}}
		var out bytes.Buffer
		if err := in.Write(&out, book(t)); err != nil {
			t.Fatal(err)
		}
		back := read(t, out.String())
		if got := back.Entries[a].Reason; got != reason || len(back.Entries) != 2 {
			t.Errorf("%q came back as %q:\n%s", reason, got, out.String())
		}
		line := strings.Split(out.String(), "\n")[back.Entries[a].Line-1]
		if line != a+":" {
			t.Errorf("line %d is %q", back.Entries[a].Line, line)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(a + ": {reason: x}")
	f.Add("&a b: *a")
	f.Fuzz(func(_ *testing.T, src string) { _, _ = baseline.Read("b.yaml", []byte(src)) })
}

func Example() {
	known, err := baseline.Read("baseline.yaml", []byte("helix.resume.complete:\n  reason: the store forgets after an hour\n"))
	fmt.Println(known.Known()["helix.resume.complete"], err)
	_, err = baseline.Read("baseline.yaml", []byte("helix.resume.complete: later\n"))
	fmt.Println(err)
	// Output:
	// the store forgets after an hour <nil>
	// baseline.yaml:1: helix.resume.complete must have `reason: TEXT` below it
}
