package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/report"
)

// healthy serves the reference and returns its URL.
func healthy(t *testing.T) string {
	t.Helper()
	return cmdtest.Serve(t, Servers().Reference(servers.Settings{Heartbeat: time.Second}))
}

func contents(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestABaselineFromItsWritingToItsEnd follows a user who inherits a broken server: write the failures down, give reasons,
// fix one, remove it.
func TestABaselineFromItsWritingToItsEnd(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("several runs of the command")
	}
	url, right := cmdtest.Broken(t, "inclusive-resume"), healthy(t)
	file := filepath.Join(t.TempDir(), "known.yaml")
	only := []string{"--only", "helix.resume.after-cursor", "--only", "helix.ordering.*", "--seed", "1"}
	certify := func(url string, more ...string) cmdtest.Ran {
		return streamcert(t, "", append(append([]string{"certify", "--target", url}, only...), more...)...)
	}

	r := certify(url, "--write-baseline", file)
	if r.Code != broken || !strings.Contains(r.Errs, "known.yaml; requirements: 1, without a reason: 1") {
		t.Fatalf("%+v", r)
	}
	text := contents(t, file)
	if !strings.Contains(text, "\nhelix.resume.after-cursor:\n  reason: \"\"\n") || strings.Contains(text, "helix.ordering") {
		t.Fatalf("the baseline is\n%s", text)
	}

	r = certify(url, "--baseline", file)
	if r.Code != broken || !strings.Contains(r.Out, "helix.resume.after-cursor: its reason is empty; say why") ||
		!strings.Contains(r.Out, "\nFAIL  helix.resume.after-cursor") {
		t.Errorf("an entry without a reason: %+v", r)
	}

	text = strings.Replace(text, `reason: ""`, `reason: "ticket 17: needs a new store"`, 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r = certify(url, "--baseline", file, "--format", "json")
	var rep report.Report
	if err := json.Unmarshal([]byte(r.Out), &rep); err != nil {
		t.Fatal(err)
	}
	if r.Code != 0 || rep.Summary.Known != 1 || rep.Summary.Fail != 0 || len(rep.Baseline) > 0 {
		t.Errorf("an entry with a reason: exit code %d, %+v %v", r.Code, rep.Summary, rep.Baseline)
	}
	for _, c := range rep.Classes {
		if c.Name == "Resumable" && c.Earned {
			t.Error("a class is earned in spite of a known failure")
		}
	}
	config := cmdtest.Write(t, "c.yaml", "target: {url: '"+url+"'}\nbaseline: '"+file+"'\n")
	if r := streamcert(t, "", append([]string{"certify", "--config", config}, only...)...); r.Code != 0 ||
		!strings.Contains(r.Out, "KNOWN  helix.resume.after-cursor") || !strings.Contains(r.Out, "ticket 17: needs a new store") {
		t.Errorf("the baseline of a config: %+v", r)
	}

	// Writing again keeps the reason; a run of something else says nothing about it.
	if r := certify(url, "--write-baseline", file); r.Code != broken || contents(t, file) != text {
		t.Errorf("%+v\n%s", r, contents(t, file))
	}
	if r := streamcert(t, "", "certify", "--target", right, "--only", few, "--baseline", file, "--write-baseline", file); r.Code != 0 || contents(t, file) != text {
		t.Errorf("%+v\n%s", r, contents(t, file))
	}

	r = certify(right, "--baseline", file)
	if r.Code != broken || !strings.Contains(r.Out, "known.yaml:13: helix.resume.after-cursor: it passes; take it out") ||
		!strings.Contains(r.Out, "\nFAIL  ") || !strings.Contains(r.Out, "problems of the baseline: 1") {
		t.Errorf("an entry that passes: %+v", r)
	}
	if r := certify(right, "--write-baseline", file); r.Code != 0 || strings.Contains(contents(t, file), "helix.resume") {
		t.Errorf("%+v\n%s", r, contents(t, file))
	}
}

func TestBaselinesThatDontFit(t *testing.T) {
	if testing.Short() {
		t.Skip("several runs of the command")
	}
	url := healthy(t)
	certify := func(flag, file string) cmdtest.Ran {
		return streamcert(t, "", "certify", "--target", url, "--only", few, flag, file)
	}
	r := certify("--baseline", cmdtest.Write(t, "b.yaml", "helix.resume.nonsense: {reason: x}\n"))
	if r.Code != broken || !strings.Contains(r.Out, "b.yaml:1: helix.resume.nonsense: there is no such requirement") {
		t.Errorf("%+v", r)
	}
	for text, words := range map[string][]string{
		"- helix.resume.complete\n":                            {"b.yaml:1", "mapping of requirement ids"},
		"helix.resume.complete: slow\n":                        {"b.yaml:1", "`reason: TEXT`"},
		"helix.resume.complete:\n  reson: x\n":                 {"b.yaml:2", "reson", "expected reason"},
		"helix.resume.complete:\n  reason: [x]\n":              {"b.yaml:2", "reason must be a text"},
		"a.b.c: {reason: x}\nd.e.f: [\n":                       {"b.yaml", "not YAML"},
		"helix.a.b: {reason: x}\nhelix.a.b: {reason: twice}\n": {"b.yaml"},
	} {
		for _, flag := range []string{"--baseline", "--write-baseline"} {
			file := cmdtest.Write(t, "b.yaml", text)
			certify(flag, file).OneLine(t, misuse, words...)
			if contents(t, file) != text {
				t.Errorf("%s wrote over %q", flag, text)
			}
		}
	}
	certify("--baseline", "nowhere.yaml").OneLine(t, misuse, "nowhere.yaml")
	dead := filepath.Join(t.TempDir(), "new.yaml")
	if r := streamcert(t, "", "certify", "--target", closedAddress(t), "--write-baseline", dead); r.Code != failed || !strings.Contains(r.Errs, "new.yaml was not written") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(dead); err == nil {
		t.Error("a run that found nothing out wrote a baseline")
	}
}
