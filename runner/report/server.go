package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// End is a moment at which the server ended, or could not be reached any more, though the suite had not killed it.
type End struct {
	At time.Time `json:"at"`
	// How its process ended, such as "exit status 1" or "signal: killed"; "" where the suite didn't start it, or where the
	// process still runs.
	How string `json:"how,omitempty"`
	// Why no request reached it, such as "dial tcp 127.0.0.1:80: connect: connection refused"; "" where How suffices.
	Why string `json:"why,omitempty"`
	// Launched: the suite had started it, so that the end fails the run.
	Launched bool   `json:"launched"`
	While    []Open `json:"while"` // in the order in which they began
	// Back: it answered again after Seconds. Otherwise the suite gave up waiting after Seconds.
	Back    bool    `json:"back"`
	Seconds float64 `json:"seconds"`
	// Output are the last lines that it had written, secrets redacted, none where the suite didn't start it.
	Output []string `json:"output,omitempty"`
}

// Open is a scenario that was open when the server ended.
type Open struct {
	Title    string `json:"title"`
	Location string `json:"place,omitempty"`   // "" of the preflight
	Request  string `json:"request,omitempty"` // the last one that had no answer, such as "POST /api/chat"
}

// Sentence describes the end, without the scenarios that were running.
func (e End) Sentence() string {
	switch {
	case e.How != "":
		return "the server ended (" + OneLine(e.How) + ")"
	case e.Launched:
		return "the server could not be reached any more, though its process still ran (" + OneLine(e.Why) + ")"
	}
	return "the server could not be reached any more (" + OneLine(e.Why) + ")"
}

// during returns the text on the scenarios that were open.
func (e End) during() string {
	switch {
	case len(e.While) == 0:
		return ""
	case len(e.While) > 1:
		return fmt.Sprintf(" while %d scenarios were open", len(e.While))
	case e.While[0].Location == "":
		return " during the " + OneLine(e.While[0].Title)
	}
	return fmt.Sprintf(" while %q was open", OneLine(e.While[0].Title))
}

// after returns the text on whether the server came back.
func (e End) after() string {
	switch {
	case e.Back && e.Launched && e.How != "":
		return fmt.Sprintf("it was started again, and answered %.1f s after its end; what had met the end ran once more", e.Seconds)
	case e.Back:
		return fmt.Sprintf("it answered again after %.1f s; what it had broken off ran once more", e.Seconds)
	case e.Seconds == 0:
		return "it was not started again"
	}
	return fmt.Sprintf("it did not come back within %.1f s; what had not run by then is an error", e.Seconds)
}

// ends returns the ends in the report, those that name the scenario that caused them first.
func (r *Report) ends() []End {
	return slices.SortedStableFunc(slices.Values(r.Ends), func(a, b End) int { return len(a.While) - len(b.While) })
}

// failedByEnd reports whether a server ended that the suite had started.
func (r *Report) failedByEnd() bool {
	return slices.ContainsFunc(r.Ends, func(e End) bool { return e.Launched })
}

// endings returns the number of ends of the server, as the end of a line; "" for none.
func (r *Report) endings() string {
	switch n := len(r.Ends); {
	case n == 0:
		return ""
	case !r.failedByEnd():
		return " · times that the server could not be reached: " + fmt.Sprint(n)
	default:
		return " · ends of the server: " + fmt.Sprint(n)
	}
}

const (
	mostLines      = 20    // of a server's output that are shown with its end
	longestLogLine = 400   // bytes of each
	mostOpen       = 8     // scenarios that are named of those that were open
	mostLog        = 16384 // bytes of a server's output in a report
)

// colouring matches the escape sequences that set colours and text attributes on a terminal.
var colouring = regexp.MustCompile("\x1b\\[[0-9;]*m")

// ServerOutput prepares output of a server for a report: limited in size, without colours, and with control characters
// escaped. Secrets must be redacted before.
func ServerOutput(text string) string {
	text = Printable(colouring.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), ""))
	if over := len(text) - mostLog; over > 0 {
		text = "…" + strings.ToValidUTF8(text[over:], "")
	}
	return strings.Trim(text, "\n")
}

// LastLines returns the last lines of a result of [ServerOutput], each clipped.
func LastLines(output string) []string {
	if strings.TrimSpace(output) == "" {
		return nil
	}
	lines := strings.Split(output, "\n")
	lines = slices.Clone(lines[max(0, len(lines)-mostLines):])
	for i, line := range lines {
		lines[i] = clipped(line, longestLogLine)
	}
	return lines
}

// lines returns the text of the report on one end of the server: the scenarios that were running, and what happened after
// it.
func (e End) lines() []string {
	var out []string
	for i, open := range e.While {
		if i == mostOpen {
			out = append(out, fmt.Sprintf("… and %d more were open", len(e.While)-mostOpen))
			break
		}
		if open.Location == "" && open.Request == "" {
			continue
		}
		line := OneLine(open.Title)
		if open.Location != "" {
			line = OneLine(open.Location) + " · " + line
		}
		if open.Request != "" {
			line += " · " + OneLine(clipped(open.Request, wordsBytes)) + " had no answer"
		}
		out = append(out, line)
	}
	return append(out, e.after())
}

// describe returns an end as unformatted text.
func (e End) describe() string {
	lines := append([]string{e.Sentence() + e.during()}, e.lines()...)
	return strings.Join(append(lines, e.Output...), "\n")
}
