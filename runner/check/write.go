package check

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/recording"
	"github.com/streamcert/streamcert/runner/report"
)

// Writer writes findings as they come, and a summary.
type Writer interface {
	Found(recording.Finding) error
	// Close writes the summary. err is the error that ended the check, nil for none.
	Close(c recording.Checked, err error) error
}

// Text writes a line a finding for people and editors: location, byte
// offset, requirement, message. Nothing of the recording reaches the terminal raw.
func Text(w io.Writer, s *pack.Suite, name string) Writer {
	return &text{w, report.OneLine(name), len(Rules(s).Testable())}
}

type text struct {
	w     io.Writer
	name  string
	total int
}

func (t *text) Found(f recording.Finding) error {
	what := "note"
	if f.Level != "" || f.Requirement != "" {
		what = fmt.Sprintf("%s (%s)", f.Requirement, f.Level)
	}
	line := fmt.Sprintf("%s:%d: byte %d: %s: %s", t.name, f.Line, f.Offset, what, f.Message)
	if f.Instance != "" {
		line += " at " + f.Instance
	}
	if f.Want != "" {
		line += "; want " + f.Want
	}
	if f.Got != "" {
		line += ", got " + f.Got
	}
	return t.print(report.OneLine(line))
}

func (t *text) Close(c recording.Checked, err error) error {
	line := fmt.Sprintf("%s: %d events in %d bytes (%s), %d findings (%d MUST, %d SHOULD), %d notes, %d of %d requirements exercised",
		t.name, c.Events, c.Bytes, c.Format, c.Findings(), c.Must, c.Should, c.Notes, len(c.Exercised), t.total)
	if err != nil {
		line += ", not read to its end"
	}
	if e := t.print(line); e != nil || c.Hint == "" {
		return e
	}
	return t.print(t.name + ": " + c.Hint)
}

func (t *text) print(line string) error {
	if _, err := fmt.Fprintln(t.w, line); err != nil {
		return fmt.Errorf("writing the findings: %w", err)
	}
	return nil
}

// JSON writes one JSON document, the findings as they come.
func JSON(w io.Writer, s *pack.Suite, name string) Writer {
	return &document{w: w, head: head{
		Suite:     report.Suite{Name: "streamcert", Version: s.Version(), Pack: s.Pack.Name, Digest: s.Digest},
		Recording: name,
	}}
}

type document struct {
	w    io.Writer
	head head
	n    int
}

type head struct {
	Suite     report.Suite `json:"suite"`
	Recording string       `json:"recording"`
}

type findingJSON struct {
	Line        int    `json:"line"`
	Offset      int64  `json:"offset"`
	Requirement string `json:"requirement,omitempty"`
	Level       string `json:"level"` // or note
	record.Finding
}

type summaryJSON struct {
	Format    string   `json:"format"`
	Events    int      `json:"events"`
	Bytes     int64    `json:"bytes"`
	Must      int      `json:"must"`
	Should    int      `json:"should"`
	Notes     int      `json:"notes"`
	Exercised []string `json:"exercised"`
	Hint      string   `json:"hint,omitempty"`
	Error     string   `json:"error,omitempty"`
}

func (j *document) Found(f recording.Finding) error {
	if err := j.open(); err != nil {
		return err
	}
	separator := ","
	if j.n == 1 {
		separator = ""
	}
	j.n++
	return j.write(separator+"\n    ", findingJSON{
		f.Line, f.Offset, f.Requirement, cmp.Or(string(f.Level), "note"), f.Finding,
	}, "")
}

// open writes everything up to the first finding.
func (j *document) open() error {
	if j.n > 0 {
		return nil
	}
	j.n = 1
	head, err := encoded(j.head)
	if err != nil {
		return err
	}
	return j.write(strings.TrimSuffix(head, "}")+`,"findings":[`, nil, "")
}

func (j *document) Close(c recording.Checked, err error) error {
	s := summaryJSON{c.Format, c.Events, c.Bytes, c.Must, c.Should, c.Notes, append([]string{}, c.Exercised...), c.Hint, ""}
	if err != nil {
		s.Error = err.Error()
	}
	return errors.Join(j.open(), j.write("],\n\"summary\":", s, "}\n"))
}

// write writes text before and after a value; nil is no value.
func (j *document) write(before string, v any, after string) error {
	text := ""
	if v != nil {
		var err error
		if text, err = encoded(v); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(j.w, before+text+after); err != nil {
		return fmt.Errorf("writing the findings: %w", err)
	}
	return nil
}

func encoded(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("encoding a finding: %w", err)
	}
	return strings.TrimSuffix(string(report.VisibleJSON([]byte(b.String()))), "\n"), nil
}
