package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Annotations writes a report as workflow commands of GitHub, which its pages show at a line of a file.
type Annotations struct {
	// Config is the file that the annotations point at, "" for none.
	Config string
}

// Write writes one command a line: an error for each of the first three ends of the server, and for the fault of a run that
// could not be made; else one for each of the first three causes in the order of the console. Failures are errors; without
// failures, broken SHOULDs are warnings, or errors if the run is strict.
func (a Annotations) Write(w io.Writer, r *Report) error {
	var b strings.Builder
	command := func(level, title, text string) {
		file := ""
		if a.Config != "" {
			file = "file=" + inProperty.Replace(OneLine(filepath.ToSlash(a.Config))) + ","
		}
		fmt.Fprintf(&b, "::%s %stitle=%s::%s\n", level, file, inProperty.Replace(OneLine(title)), inMessage.Replace(OneLine(text)))
	}
	level, causes := "error", cards(r, Fail)
	if len(causes) == 0 {
		causes = cards(r, Warn)
		if !r.Suite.Strict {
			level = "warning"
		}
	}
	for _, e := range r.ends()[:min(len(r.Ends), shown)] {
		command("error", "server", e.Sentence()+e.during())
	}
	if r.Fault != "" {
		command("error", "streamcert", r.Fault)
		causes = nil
	}
	for _, c := range causes[:min(len(causes), shown)] {
		text := c.Sentence + " — " + fault(c.Requirement, bytesForWant+1)
		if len(c.Findings) > 0 && c.Findings[0].Rerun != "" {
			text += " — rerun: " + c.Findings[0].Rerun
		}
		command(level, c.ID, text)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the annotations: %w", err)
	}
	return nil
}

// Characters that end a message or property of a workflow command are escaped. OneLine leaves no line feed in either.
var (
	inMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	inProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
