package report_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/streamcert/streamcert/runner/report"
)

// TestCreateLeavesNothingOfAnEarlierRun: a run that is killed or finds the disk full leaves no report of another next to
// its findings, and the next one removes its temporary files.
func TestCreateLeavesNothingOfAnEarlierRun(t *testing.T) {
	dir := t.TempDir()
	d, err := report.Create(dir, report.FolderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(made(), report.HTML{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".report.html.123456789", ".summary.md.42", ".report.html.old", ".mine.7", "notes.txt", "report.html.1"} {
		put(t, filepath.Join(dir, name), "text")
	}
	if err := os.Mkdir(filepath.Join(dir, ".junit.xml.7"), 0o700); err != nil {
		t.Fatal(err)
	}
	if d, err = report.Create(dir, report.FolderOptions{}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.Abandon(); err != nil {
			t.Error(err)
		}
	}()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{".report.html.old": true, ".mine.7": true, "notes.txt": true, "report.html.1": true, ".junit.xml.7": true, report.FindingsFile: true}
	for _, f := range found {
		if !want[f.Name()] {
			t.Errorf("%s is still there", f.Name())
		}
		delete(want, f.Name())
	}
	if len(want) > 0 {
		t.Errorf("gone: %v", want)
	}
}
