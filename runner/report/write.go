package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// The files of a Folder.
const (
	FindingsFile = "findings.ndjson"
	JSONFile     = "report.json"
	JUnitFile    = "junit.xml"
	ConsoleFile  = "console.txt"
	HTMLFile     = "report.html"
	SummaryFile  = "summary.md"
	BadgeFile    = "badge.json"
	PictureFile  = "badge.svg"
)

// Folder is where a run leaves its files: findings as they come, so that a run
// that is killed leaves what it found, and the reports at the end.
type Folder struct {
	dir      string
	findings *os.File
}

// Create makes the folder, with what leads to it, and begins its findings anew.
// Reports of an earlier run stay until the new ones are whole.
func Create(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder for the reports: %w", err)
	}
	f, err := os.Create(filepath.Join(dir, FindingsFile))
	if err != nil {
		return nil, fmt.Errorf("beginning the findings: %w", err)
	}
	return &Folder{dir, f}, nil
}

// Finding appends one, as a line of JSON with the requirement's id before the
// finding's members.
func (d *Folder) Finding(requirement string, f Finding) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(struct {
		Requirement string `json:"requirement"`
		Finding
	}{requirement, f})
	if err == nil {
		_, err = d.findings.Write(b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("appending a finding: %w", err)
	}
	return nil
}

// Close writes the reports. Each is whole or, on an error, as it was before. The
// class that h requires is that of all of them.
func (d *Folder) Close(r *Report, h HTML) error {
	badge := r.Badge(h.Require)
	errs := []error{d.findings.Close()}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{JSONFile, func(w io.Writer) error { return WriteJSON(w, r) }},
		{JUnitFile, func(w io.Writer) error { return WriteJUnit(w, r) }},
		{ConsoleFile, func(w io.Writer) error { return Console{Require: h.Require}.Write(w, r) }},
		{HTMLFile, func(w io.Writer) error { return h.Write(w, r) }},
		{SummaryFile, func(w io.Writer) error { return Markdown{Require: h.Require}.Write(w, r) }},
		{BadgeFile, badge.WriteJSON},
		{PictureFile, badge.WriteSVG},
	} {
		errs = append(errs, Replace(filepath.Join(d.dir, file.name), file.write))
	}
	return errors.Join(errs...)
}

// Abandon closes the findings of a run that could not be made.
func (d *Folder) Abandon() error { return d.findings.Close() }

// Replace writes a file under a temporary name and renames it, so that it is
// whole or, on an error, as it was before.
func Replace(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	defer os.Remove(f.Name()) // a name that was renamed away is gone already
	err = write(f)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}
