package lab

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/spec"
)

// readme returns the text of README.md.
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

// mostWords limits the words of the README: beginners don't read longer ones.
const mostWords = 3000

// TestReadmeIsShort counts as wc does.
func TestReadmeIsShort(t *testing.T) {
	if n := len(strings.Fields(readme(t))); n > mostWords {
		t.Errorf("README.md has %d words, expected at most %d: move what isn't needed to begin to spec, or to a page of its own", n, mostWords)
	}
}

// TestReadmeBegins runs two of the three introductions; the third needs npm, and is run by make interop.
func TestReadmeBegins(t *testing.T) {
	url := cmdtest.Serve(t, command.Servers().Reference(servers.Settings{Heartbeat: 50 * time.Millisecond}))
	for _, call := range []string{"writers", "writers/writer-1/chunks", "end"} {
		answer, err := http.Post(url+"/control/streams/s1/"+call, "application/json", strings.NewReader(event))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	page := readme(t)
	t.Chdir(t.TempDir())
	for way, ends := range map[string]string{"server": "✓ Actions     earned", "recording": "had an occasion, none is broken"} {
		_, block, _ := strings.Cut(page, "<!-- try: "+way+" -->\n```\n")
		block, _, _ = strings.Cut(block, "```\n")
		var last cmdtest.Ran
		for line := range strings.Lines(strings.ReplaceAll(block, "http://127.0.0.1:8080", url)) {
			last = typed(t, strings.TrimSpace(line))
			if config, err := os.ReadFile("streamcert.yaml"); err == nil { // the address of the test isn't the one that init writes
				_ = os.WriteFile("streamcert.yaml", []byte(strings.ReplaceAll(string(config), "http://127.0.0.1:8080", url)), 0o600)
			}
			if last.Code != 0 {
				t.Fatalf("%s: %+v", line, last)
			}
		}
		if !strings.Contains(last.Out, ends) {
			t.Errorf("%s doesn't end with %q:\n%s", way, ends, last.Out)
		}
	}
}

// typed runs a line of the README: the program of users, or curl into a file.
func typed(t *testing.T, line string) cmdtest.Ran {
	t.Helper()
	words := strings.Fields(line)
	if words[0] == "curl" {
		answer, err := http.Get(words[2])
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		return cmdtest.Ran{Out: fmt.Sprint(os.WriteFile(words[4], body, 0o600), err)}
	}
	return cmdtest.Program(command.New(command.Program{Name: "streamcert"}, packs.All(), command.Servers()).Run).Run(t, "", words[1:]...)
}

// event is a chunk, which a call that takes none ignores.
const event = `{"type":"text_delta","agentId":"a","agentType":"assistant","delta":"x","timestamp":1702329600000}`

// TestDerived: a number and a list that differ from the suite are reported, and rewritten.
func TestDerived(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("judges every generated mutant")
	}
	if r := streamcert(t, "", "derived", "--check", "--dir", cmdtest.Repository); r.Code != 0 || !strings.HasPrefix(r.Out, "10 derived files") {
		t.Fatalf("%+v", r)
	}
}

// TestDerivedIsWritten: a number and a list that differ from the suite are reported, and rewritten.
func TestDerivedIsWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(beaconFolder)); err != nil {
		t.Fatal(err)
	}
	name, list := filepath.Join(dir, readmeFile), filepath.Join(dir, "runner", "cmd", "servers", "beacon", "altered.json")
	text := "`x@v0.0.1`\n| 9 | requirements |\n| 9 | scenario rows |\n| 0 | mutants: broken |\n| 1 + 2 | generated mutants of beacon |\n| 0 | variants |\n| 0 | idle servers |\n"
	appendix := filepath.Join(dir, "spec", "beacon", "appendix.md")
	if err := errors.Join(os.WriteFile(name, []byte(text), 0o600), os.Remove(list), os.WriteFile(appendix, []byte("# More\n\n## Index\n\nold\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	derived := func(args ...string) cmdtest.Ran {
		return cmdtest.Program(beaconApp().Run).Run(t, "", append([]string{"derived", "--dir", dir}, args...)...)
	}
	if r := derived("--check"); r.Code != command.Broken || !strings.Contains(r.Out, name+" is not") || !strings.Contains(r.Out, list+" is not") || !strings.Contains(r.Out, appendix+" is not") {
		t.Errorf("%+v", r)
	}
	if r := derived(); r.Code != 0 || !strings.HasPrefix(contents(t, name), "`x@v"+command.Version()+"`\n") || !strings.Contains(contents(t, name), "| 8 | requirements |\n| 8 | scenario rows |\n| 7 | mutants: broken |\n") {
		t.Errorf("%+v\n%s", r, contents(t, name))
	}
	if text := contents(t, appendix); strings.Count(text, "| [`beacon.") != 8 || !strings.HasPrefix(text, "# More\n\n## Index\n\n| requirement |") {
		t.Errorf("an index of\n%s", text)
	}
	if r := derived("--check"); r.Code != 0 {
		t.Errorf("%+v", r)
	}
	if err := os.WriteFile(name, []byte("| 8 | requirements |\n"), 0o600); err != nil {
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

// TestSampleOfARun: the run that the spec shows has the chapters, the requirements and the rows of the suite.
func TestSampleOfARun(t *testing.T) {
	book, problems, err := spec.Load(spec.FS)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	text := contents(t, filepath.Join(cmdtest.Repository, samplesFile))
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

// cell returns a pattern of a number in the table of a run.
func cell(n int) string {
	if n == 0 {
		return "·"
	}
	return strconv.Itoa(n)
}

// TestReadmeFailure: the failure in the README is the program's output, except for differences between two runs.
func TestReadmeFailure(t *testing.T) {
	_, shown, _ := strings.Cut(readme(t), "Here, … stands for ")
	_, shown, _ = strings.Cut(shown, "\n```\n")
	shown, _, _ = strings.Cut("…\n"+shown, "```\n")
	url := cmdtest.Broken(t, "resume-skips-one")
	command.UsualEffort = campaign.Standard // as it is for the reader
	t.Cleanup(func() { command.UsualEffort = campaign.Quick })
	got := streamcert(t, "", "certify", "--target", url, "--pack", "helix", "--effort", "quick", "--seed", "4", "--only", "helix.resume.complete").Out
	lines := strings.Split(sameInEachRun(got), "\n")
	gap := false // whether lines were left out
	for _, line := range strings.Split(strings.TrimSpace(sameInEachRun(shown)), "\n") {
		if line == "…" {
			gap = true
			continue
		}
		begin, cut := strings.CutSuffix(line, " …")
		at := slices.IndexFunc(lines, func(l string) bool { return l == line || cut && strings.HasPrefix(l, begin) })
		if at < 0 || at > 0 && !gap {
			t.Fatalf("after the lines before it, the README shows %q, and the program prints\n%s", line, strings.Join(lines, "\n"))
		}
		lines, gap = lines[at+1:], false
	}
}

// sameInEachRun replaces parts that differ between two runs with the same seed.
func sameInEachRun(text string) string {
	for _, p := range []struct{ pattern, with string }{
		{`127\.0\.0\.1:\d+`, "HOST"}, {`sha256:\S+`, "DIGEST"}, {`sc-[0-9a-f]{10}-\d+`, "STREAM"}, {`writer-\d+`, "WRITER"},
		{`date: .*`, "DATE"}, {`in \d+\.\d s`, "TIME"},
	} {
		text = regexp.MustCompile(p.pattern).ReplaceAllString(text, p.with)
	}
	return text
}
