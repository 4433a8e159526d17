package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/redact"
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
	// AnnotationsFile contains workflow commands of GitHub; it is empty if nothing is broken.
	AnnotationsFile = "annotations.txt"
)

// marks returns a text that occurs in the first bytes of each file of a run: a file of the same name without it isn't a
// run's, and isn't replaced.
func marks() map[string]string {
	return map[string]string{
		FindingsFile: `{"requirement":`,
		JSONFile:     `"name": "streamcert"`,
		JUnitFile:    `<testsuites name="streamcert `,
		ConsoleFile:  "streamcert ",
		HTMLFile:     ": streamcert ",
		SummaryFile:  " · streamcert ",
		BadgeFile:    `"label":"streamcert `,
		PictureFile:  `aria-label="streamcert `,

		AnnotationsFile: "title=",
	}
}

// Folder is the folder for the files of a run: findings are written as they are made, so that they survive a kill of the
// run, and the reports at the end.
type Folder struct {
	dir      string           // exists
	findings *os.File         // open until the reports are written
	secrets  *redact.Redactor // applied to every file
	config   string           // path of the config file, for annotations; "" for none
}

// FolderOptions configure a Folder.
type FolderOptions struct {
	// Force replaces files of the same names that no run of the kit wrote.
	Force bool
	// Secrets are replaced in every file; nil replaces nothing.
	Secrets *redact.Redactor
	// Config is the file that annotations point at, "" for none.
	Config string
}

// OtherFileError reports that a file is in the way that the kit didn't write.
type OtherFileError struct{ Name string }

func (e *OtherFileError) Error() string {
	return fmt.Sprintf("%s is no file of an earlier run; choose another folder, or give --force to replace it", e.Name)
}

// Create makes the folder with its parents and begins a new file of findings. It removes the reports of an earlier run, so
// that none lies next to the findings of a run that is killed or finds the disk full, and the temporary files of such a
// run. The error is a *ForeignError if a file would be replaced that isn't of an earlier run; a link never is, and its
// target is never written to.
func Create(dir string, o FolderOptions) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder for the reports: %w", err)
	}
	for name, mark := range marks() {
		if path := filepath.Join(dir, name); !o.Force && !ours(path, mark) {
			return nil, &OtherFileError{path}
		}
	}
	if err := clearEarlier(dir); err != nil {
		return nil, fmt.Errorf("removing the reports of an earlier run: %w", err)
	}
	name := filepath.Join(dir, FindingsFile)
	// O_EXCL doesn't follow a link that is created meanwhile.
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fmt.Errorf("beginning the findings: %w", err)
	}
	return &Folder{dir, f, o.Secrets, o.Config}, nil
}

// clearEarlier removes the files of an earlier run, and those that Replace was writing.
func clearEarlier(dir string) error {
	found, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range found {
		name := f.Name()
		if of := temporary.FindStringSubmatch(name); of != nil && f.Type().IsRegular() {
			name = of[1]
		}
		if _, known := marks()[name]; !known {
			continue
		}
		if err := os.Remove(filepath.Join(dir, f.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// temporary matches the names under which Replace writes a file: its between a dot and a number.
var temporary = regexp.MustCompile(`^\.(.+)\.[0-9]+$`)

// ours reports whether a file is there that an earlier run wrote, or none.
func ours(path, mark string) bool {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return true
	case err != nil || !info.Mode().IsRegular():
		return false
	case info.Size() == 0: // findings of a run that found nothing
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, 1<<10)
	n, _ := io.ReadFull(f, begin) // a file that is shorter has all of it
	return bytes.Contains(begin[:n], []byte(mark))
}

// line is a finding as its file has it: the requirement's id before its members.
type line struct {
	Requirement string `json:"requirement"` // never empty
	record.Finding
}

// Finding appends one, as a line of JSON.
func (d *Folder) Finding(f record.Finding) error {
	line, err := jsonOf(line{f.Requirement, f})
	if err == nil {
		_, err = d.secrets.Writer(d.findings).Write(line)
	}
	if err != nil {
		return fmt.Errorf("appending a finding: %w", err)
	}
	return nil
}

// confirmed adds the results of confirmation to the findings: the outcomes of their scenarios when these ran once more, and
// the commands that rerun them.
func (d *Folder) confirmed(r *Report) error {
	type key struct{ requirement, location, scenario, message, step string }
	later := map[key]record.Finding{}
	for _, q := range r.Requirements {
		for _, f := range q.Findings {
			if f.Alone != "" {
				later[key{q.ID, f.Location, d.secrets.Redact(f.Scenario), d.secrets.Redact(f.Message), d.secrets.Redact(f.Step)}] = f
			}
		}
	}
	name := filepath.Join(d.dir, FindingsFile)
	if len(later) == 0 {
		return nil
	}
	in, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("reading the findings again: %w", err)
	}
	defer in.Close()
	return Replace(name, func(w io.Writer) error {
		for lines := json.NewDecoder(in); ; {
			var l line
			if err := lines.Decode(&l); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return fmt.Errorf("reading the findings again: %w", err)
			}
			if f, ok := later[key{l.Requirement, l.Location, l.Scenario, l.Message, l.Step}]; ok {
				l.Alone, l.Rerun = f.Alone, f.Rerun
			}
			text, err := jsonOf(l)
			if err == nil {
				_, err = d.secrets.Writer(w).Write(text)
			}
			if err != nil {
				return err
			}
		}
	})
}

// Close writes the reports. On an error a report is missing rather than incomplete. The class that h requires applies to
// all of them.
func (d *Folder) Close(r *Report, h HTML) error {
	badge := r.Badge(h.Require)
	errs := []error{d.findings.Close(), d.confirmed(r)}
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
		{AnnotationsFile, func(w io.Writer) error { return Annotations{Config: d.config}.Write(w, r) }},
	} {
		errs = append(errs, Replace(filepath.Join(d.dir, file.name), func(w io.Writer) error {
			return file.write(d.secrets.Writer(w))
		}))
	}
	return errors.Join(errs...)
}

// Abandon closes the findings of a run that could not be made.
func (d *Folder) Abandon() error { return d.findings.Close() }
