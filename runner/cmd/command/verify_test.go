package command

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/report"
)

// certified certifies a broken server and returns the folder of its reports.
func certified(t *testing.T, args ...string) string {
	t.Helper()
	url := cmdtest.Broken(t, "inclusive-resume")
	dir := t.TempDir()
	r := streamcert(t, "", append([]string{"certify", "--target", url, "--only", "helix.resume.after-cursor", "--only", few, "--out", dir}, args...)...)
	if r.Code != broken {
		t.Fatalf("%+v", r)
	}
	return dir
}

// edited writes a report with something changed in it.
func edited(t *testing.T, name string, change func(*report.Report)) string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := report.ReadJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	change(r)
	var b strings.Builder
	if err := report.WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return cmdtest.Write(t, "report.json", b.String())
}

func TestVerify(t *testing.T) {
	name := filepath.Join(certified(t), report.JSONFile)
	if r := streamcert(t, "", "verify", name); r.Code != 0 || r.Errs != "" || !strings.Contains(r.Out, " 0 differences\n") {
		t.Errorf("%+v", r)
	}
	forged := edited(t, name, func(r *report.Report) {
		for i := range r.Requirements {
			if q := &r.Requirements[i]; q.Verdict == report.Fail {
				q.Verdict, q.Findings = report.Pass, nil
			}
		}
		for i := range r.Scenarios {
			r.Scenarios[i].Outcome = report.Pass
		}
		r.Count()
	})
	if r := streamcert(t, "", "verify", forged); r.Code != broken || !strings.Contains(r.Out, "helix.resume.after-cursor · ") || !strings.Contains(r.Out, "doesn't have") {
		t.Errorf("%+v", r)
	}
	old := edited(t, name, func(r *report.Report) { r.Suite.Digest = "sha256:0\x1b" })
	if r := streamcert(t, "", "verify", old); r.Code != 0 || !strings.HasPrefix(r.Errs, "streamcert: warning: ") || !strings.Contains(r.Errs, `sha256:0\x1b`) {
		t.Errorf("%+v", r)
	}
	unrecorded := edited(t, name, func(r *report.Report) {
		for i := range r.Scenarios {
			r.Scenarios[i].Exchanges = nil
		}
	})
	if r := streamcert(t, "", "verify", unrecorded); r.Code != failed || !strings.Contains(r.Errs, "no transcripts") {
		t.Errorf("%+v", r)
	}
}

func TestVerifyOfNoReport(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "text": "hello", "list": "[]", "object": "{}", "half": `{"suite":`} {
		r := streamcert(t, "", "verify", cmdtest.Write(t, "report.json", text))
		r.OneLine(t, misuse, "report.json")
		if r.Out != "" {
			t.Errorf("%s: %q", name, r.Out)
		}
	}
	streamcert(t, "", "verify", "missing.json").OneLine(t, misuse, "missing.json")
	streamcert(t, "", "verify", ".").OneLine(t, misuse, "is a folder")
	streamcert(t, "", "verify").OneLine(t, misuse, "REPORT")
}

func TestCertifyWritesEveryReport(t *testing.T) {
	dir := certified(t)
	for name, want := range map[string][]string{
		report.HTMLFile:    {"helix.resume.after-cursor", "<mark>", "call -i -N"},
		report.SummaryFile: {"## ❌ FAIL", "streamcert certify --target"},
		report.BadgeFile:   {`"schemaVersion":1`, "failing"},
		report.PictureFile: {"<svg", "failing</title>"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s lacks %q", name, w)
			}
		}
	}
	bad := cmdtest.Write(t, "mutants.json", "{}")
	streamcert(t, "", "certify", "--reference", "--pack", "helix", "--out", t.TempDir(), "--mutants", bad).OneLine(t, misuse, "schemas/mutants.json")
	streamcert(t, "", "certify", "--reference", "--pack", "helix", "--out", t.TempDir(), "--mutants", "missing.json").OneLine(t, misuse, "missing.json")
	streamcert(t, "", "certify", "--reference", "--mutants", bad).OneLine(t, misuse, "--out")
}

// TestAnInterruptedProcessLeavesItsReports: the server interrupts the program that certifies it at the request for the
// fortieth writer.
func TestAnInterruptedProcessLeavesItsReports(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process can't be interrupted there")
	}
	h := cmdtest.Mutant(t, "says-done")
	defer h.Close()
	process := make(chan *os.Process, 1)
	var writers atomic.Int32
	server, err := listen("127.0.0.1:0", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/writers") && writers.Add(1) == 40 {
			_ = (<-process).Signal(os.Interrupt)
		}
		h.ServeHTTP(w, r)
	}), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer server.stop()
	dir := t.TempDir()
	cmd := program("certify", "--target", server.URL, "--only", "helix.wire.*", "--only", "helix.lifecycle.*", "--seed", "1", "--out", dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	process <- cmd.Process
	_ = cmd.Wait()
	text, err := os.ReadFile(filepath.Join(dir, report.JSONFile))
	if err != nil {
		t.Fatal(err)
	}
	var rep report.Report
	if err := json.Unmarshal(text, &rep); err != nil {
		t.Fatal(err)
	}
	if !rep.Interrupted || rep.Summary.Error == 0 || len(rep.Scenarios) == 0 || cmd.ProcessState.ExitCode() != rep.ExitCode(nil) || rep.ExitCode(nil) == 0 {
		t.Errorf("exit code %d, interrupted %v, %+v", cmd.ProcessState.ExitCode(), rep.Interrupted, rep.Summary)
	}
	for name, want := range map[string]string{
		report.HTMLFile: "Interrupted:", report.SummaryFile: "**Interrupted:**", report.ConsoleFile: "· interrupted", report.JUnitFile: "the run was interrupted",
		report.FindingsFile: `{"requirement":"helix.`,
	} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s doesn't say %q: %v", name, want, err)
		}
	}
	if r := streamcert(t, "", "verify", filepath.Join(dir, report.JSONFile)); r.Code != 0 {
		t.Errorf("%+v", r)
	}
}
