package report_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/redact"
	"github.com/streamcert/streamcert/runner/report"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestFolderKeepsWhatIsNotOurs(t *testing.T) {
	for _, name := range []string{report.HTMLFile, report.SummaryFile, report.FindingsFile, report.BadgeFile, report.JSONFile} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		put(t, path, "of somebody else")
		_, err := report.Create(dir, report.FolderOptions{})
		var foreign *report.OtherFileError
		if !errors.As(err, &foreign) || foreign.Name != path || !strings.Contains(err.Error(), "--force") {
			t.Errorf("%s: %v", name, err)
		}
		if got := contents(t, path); got != "of somebody else" {
			t.Errorf("%s became %q", name, got)
		}
		d, err := report.Create(dir, report.FolderOptions{Force: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Close(made(), report.HTML{}); err != nil {
			t.Fatal(err)
		}
		if contents(t, path) == "of somebody else" {
			t.Errorf("%s was not replaced", name)
		}
	}
}

func TestFolderReplacesFilesOfReports(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "notes.txt"), "kept")
	for range 2 {
		d, err := report.Create(dir, report.FolderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Finding(record.Finding{Requirement: "helix.a.b", Message: "m"}); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(made(), report.HTML{}); err != nil {
			t.Fatal(err)
		}
	}
	if got := contents(t, filepath.Join(dir, "notes.txt")); got != "kept" {
		t.Errorf("another file became %q", got)
	}
}

func TestFolderNeverWritesThroughALink(t *testing.T) {
	for _, name := range []string{report.FindingsFile, report.HTMLFile} {
		dir := t.TempDir()
		precious := filepath.Join(t.TempDir(), "precious")
		put(t, precious, "precious")
		if err := os.Symlink(precious, filepath.Join(dir, name)); err != nil {
			t.Skip("no links here:", err)
		}
		if _, err := report.Create(dir, report.FolderOptions{}); err == nil {
			t.Errorf("%s: a link was taken for a file of ours", name)
		}
		d, err := report.Create(dir, report.FolderOptions{Force: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(d.Finding(record.Finding{Requirement: "helix.a.b", Message: "m"}), d.Close(made(), report.HTML{})); err != nil {
			t.Fatal(err)
		}
		if got := contents(t, precious); got != "precious" {
			t.Errorf("%s: what it links to became %q", name, got)
		}
	}
}

// TestFindingsSayWhatCameOfThemAlone: a line is written at each finding, and contains at the end the result of its
// confirmation.
func TestFindingsSayWhatCameOfThemAlone(t *testing.T) {
	const secret = `s3cr3t"`
	dir := t.TempDir()
	d, err := report.Create(dir, report.FolderOptions{Secrets: redact.New(secret)})
	if err != nil {
		t.Fatal(err)
	}
	r := made()
	for i := range r.Requirements {
		q := &r.Requirements[i]
		for k := range q.Findings {
			f := &q.Findings[k]
			f.Requirement, f.Message = q.ID, f.Message+secret
			early := *f
			early.Rerun = ""
			if err := d.Finding(early); err != nil {
				t.Fatal(err)
			}
			if q.ID == "helix.resume.after-cursor" {
				f.Alone = record.NeedsNeighbours
			}
		}
	}
	before := contents(t, filepath.Join(dir, report.FindingsFile))
	if err := d.Close(r, report.HTML{}); err != nil {
		t.Fatal(err)
	}
	after := contents(t, filepath.Join(dir, report.FindingsFile))
	const says = `"alone":"needs its neighbours","rerun":"streamcert certify --only helix.resume.after-cursor"`
	if strings.Contains(before, "alone") || strings.Count(after, `"alone"`) != 1 || !strings.Contains(after, says) {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	if strings.Count(after, "\n") != strings.Count(before, "\n") || strings.Contains(after, "s3cr3t") {
		t.Errorf("lines were lost, or redacted no more\n%s", after)
	}
}

func TestFolderHasNoSecrets(t *testing.T) {
	const secret = `s3cr3t<&>"value`
	r := made()
	r.Target.URL = "http://host/" + secret
	for i := range r.Requirements {
		for k := range r.Requirements[i].Findings {
			f := &r.Requirements[i].Findings[k]
			f.Message, f.Want, f.Got, f.Exchange, f.Curl = secret, secret, secret, secret, secret
		}
	}
	r.Notes[0].Got = secret
	r.Scenarios[0].Reason = secret
	dir := t.TempDir()
	d, err := report.Create(dir, report.FolderOptions{Secrets: redact.New(secret)})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Finding(record.Finding{Requirement: "helix.a.b", Message: secret}), d.Close(r, report.HTML{})); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if got := contents(t, filepath.Join(dir, f.Name())); strings.Contains(got, "s3cr3t") {
			t.Errorf("%s has the secret", f.Name())
		}
	}
}
