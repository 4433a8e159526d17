package lab

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/spec"
)

// readme is the text of README.md.
func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// counted are numbers in the output of a command, by the words that follow them.
func counted(t *testing.T, text, pattern string, names ...string) map[string]int {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no %q in %q", pattern, text)
	}
	out := map[string]int{}
	for i, name := range names {
		n, err := strconv.Atoi(m[i+1])
		if err != nil {
			t.Fatal(err)
		}
		out[name] = n
	}
	return out
}

// TestDerived: a number and a list that aren't those of the suite are named, and written anew.
func TestDerived(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("judges every generated mutant")
	}
	if r := streamcert(t, "", "derived", "--check", "--dir", cmdtest.Repository); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
}

// TestDerivedIsWritten: a number and a list that aren't those of the suite are named, and written anew.
func TestDerivedIsWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(beaconFolder)); err != nil {
		t.Fatal(err)
	}
	name, list := filepath.Join(dir, readmeFile), filepath.Join(dir, "runner", "cmd", "servers", "beacon", "altered.json")
	text := "| 9 | requirements |\n| 9 | scenario rows |\n| 0 | mutants: broken |\n| 1 + 2 | generated mutants of beacon |\n| 0 | variants |\n| 0 | idle servers |\n"
	if err := errors.Join(os.WriteFile(name, []byte(text), 0o600), os.Remove(list)); err != nil {
		t.Fatal(err)
	}
	derived := func(args ...string) cmdtest.Ran {
		return cmdtest.Program(beaconApp().Run).Run(t, "", append([]string{"derived", "--dir", dir}, args...)...)
	}
	if r := derived("--check"); r.Code != command.Broken || !strings.Contains(r.Out, name+" is not") || !strings.Contains(r.Out, list+" is not") {
		t.Errorf("%+v", r)
	}
	if r := derived(); r.Code != 0 || !strings.Contains(contents(t, name), "| 8 | requirements |\n| 8 | scenario rows |\n| 7 | mutants: broken |\n") {
		t.Errorf("%+v\n%s", r, contents(t, name))
	}
	if r := derived("--check"); r.Code != 0 {
		t.Errorf("%+v", r)
	}
	if err := os.WriteFile(name, []byte("no table\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	derived().OneLine(t, 3, readmeFile, "has no row")
}

func contents(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeSample: the run that the README shows has the chapters, the requirements and the rows of the suite.
func TestReadmeSample(t *testing.T) {
	book, problems, err := spec.Load(spec.FS)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	text := readme(t)
	_, text, _ = strings.Cut(text, "--reference --seed 7`:\n\n```\n")
	text, _, _ = strings.Cut(text, "\n```\n")
	runs := regexp.MustCompile(`(?m)^streamcert \S+ · pack `).Split(text, -1)[1:]
	if len(runs) != len(book.Packs()) {
		t.Fatalf("the sample has %d packs of %d", len(runs), len(book.Packs()))
	}
	rows := 0
	for _, sample := range runs {
		pack, _, _ := strings.Cut(sample, " ")
		if begin := "streamcert " + book.Version(pack) + " · pack " + pack + " "; !strings.Contains(text, begin) {
			t.Errorf("the sample doesn't show %q", begin)
		}
		pass, unprovable := 0, 0
		for _, chapter := range book.Chapters(pack) {
			p, u := 0, 0
			for _, q := range book.Pack(pack) {
				switch {
				case q.Chapter != chapter.Name || q.Withdrawn != "" || q.Role != spec.RoleServer:
				case q.Testable() && q.Tier != spec.TierLaunched && q.Tier != spec.TierReplicated: // which the sample doesn't offer
					p++
				default:
					u++
				}
			}
			line := regexp.MustCompile(fmt.Sprintf(`(?m)^  %s +%s +%s$`, chapter.Name, cell(p), cell(u)))
			if !regexp.MustCompile(`(?m)^  chapter +pass +unprovable$`).MatchString(sample) { // a column without a number is left out
				line = regexp.MustCompile(fmt.Sprintf(`(?m)^  %s +%s$`, chapter.Name, cell(p)))
			}
			if p+u > 0 && !line.MatchString(sample) {
				t.Errorf("%s: the sample doesn't show %d pass and %d unprovable of the chapter %s", pack, p, u, chapter.Name)
			}
			pass, unprovable = pass+p, unprovable+u
		}
		end := counted(t, sample, `(?m)^PASS  (\d+) pass, 0 fail, 0 warn, 0 not claimed, (\d+) unprovable, 0 known, 0 error · (\d+) scenarios`,
			"pass", "unprovable", "rows")
		if end["pass"] != pass || end["unprovable"] != unprovable {
			t.Errorf("%s: the sample ends with %v, and the suite has %d and %d", pack, end, pass, unprovable)
		}
		rows += end["rows"]
	}
	all := counted(t, streamcert(t, "", "lint").Out, `\((\d+) rows\)`, "rows")["rows"]
	if rows != all {
		t.Errorf("the sample shows %d scenarios, and the suite has %d", rows, all)
	}
}

// cell is a pattern of a number in the table of a run.
func cell(n int) string {
	if n == 0 {
		return "·"
	}
	return strconv.Itoa(n)
}

// TestReadmeFailure: the failure that the README shows is what the program prints, but for what differs between two runs.
func TestReadmeFailure(t *testing.T) {
	_, shown, _ := strings.Cut(readme(t), "Here, … stands for ")
	_, shown, _ = strings.Cut(shown, "\n```\n")
	shown, _, _ = strings.Cut(shown, "```\n")
	url := cmdtest.Broken(t, "resume-skips-one")
	command.UsualEffort = campaign.Standard // as it is for the reader
	t.Cleanup(func() { command.UsualEffort = campaign.Quick })
	got := streamcert(t, "", "certify", "--target", url, "--pack", "helix", "--effort", "quick", "--seed", "4", "--only", "helix.resume.complete").Out
	want, lines := strings.Split(sameInEachRun(shown), "\n"), strings.Split(sameInEachRun(got), "\n")
	if len(want) != len(lines) {
		t.Fatalf("the README shows %d lines, and the program prints %d:\n%s", len(want), len(lines), got)
	}
	for i, line := range want {
		begin, cut := strings.CutSuffix(line, " …")
		if line != lines[i] && !(cut && strings.HasPrefix(lines[i], begin)) {
			t.Errorf("line %d of the sample:\n%s\nand of the run:\n%s", i+1, line, lines[i])
		}
	}
}

// sameInEachRun replaces what differs between two runs with the same seed.
func sameInEachRun(text string) string {
	for _, p := range []struct{ pattern, with string }{
		{`127\.0\.0\.1:\d+`, "HOST"}, {`sha256:\S+`, "DIGEST"}, {`sc-[0-9a-f]{10}-\d+`, "STREAM"}, {`writer-\d+`, "WRITER"},
		{`date: .*`, "DATE"}, {`in \d+\.\d s`, "TIME"},
	} {
		text = regexp.MustCompile(p.pattern).ReplaceAllString(text, p.with)
	}
	return text
}
