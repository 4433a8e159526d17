package probe

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/report"
)

// Write writes the result: route by route, then tiers and capabilities, then the requirements that a run could prove.
func (p *Result) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", report.OneLine(p.URL))
	wide := 0
	for _, r := range p.Routes {
		wide = max(wide, len(r.Call))
	}
	for _, r := range p.Routes {
		answer := "—"
		if r.Status != 0 {
			answer = fmt.Sprint(r.Status)
		}
		line := fmt.Sprintf("  %-7s  %-*s  %-3s  %s", r.Presence, wide, r.Call, answer, report.OneLine(r.Detail))
		if (r.Presence == Absent || r.Presence == Wrong) && r.Needed > 0 {
			line = strings.TrimRight(line, " ") + fmt.Sprintf("  (needed by %s)", requirements(r.Needed))
		}
		fmt.Fprintln(&b, strings.TrimRight(line, " "))
	}
	fmt.Fprintf(&b, "\ntiers         %s\n", cmp.Or(strings.Join(p.Tiers, ", "), "none"))
	longest := 0
	for _, c := range p.Capabilities {
		longest = max(longest, len(c.Name))
	}
	for i, c := range p.Capabilities {
		label := ""
		if i == 0 {
			label = "capabilities"
		}
		fmt.Fprintf(&b, "%-12s  %-*s  %s\n", label, longest, c.Name, cmp.Or(c.Closed, "open"))
	}
	p.requirements(&b)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the probe: %w", err)
	}
	return nil
}

func (p *Result) requirements(b *strings.Builder) {
	fmt.Fprintf(b, "\nrequirements  %d can be proven\n", len(p.Provable))
	if len(p.Modelled) > 0 {
		fmt.Fprintf(b, "              %d of them by the model, without the control binding\n", len(p.Modelled))
	}
	if len(p.Passing) > 0 {
		fmt.Fprintf(b, "              up to %d more in passing, by what the model provokes for others; a run shows which\n", len(p.Passing))
	}
	if len(p.Provable) == 0 && slices.Contains(p.Tiers, "observe") {
		fmt.Fprintf(b, "              %d could be judged by listening alone: record the stream and use `streamcert check`\n", p.Listening)
	}
	for _, call := range slices.Sorted(maps.Keys(p.Unprovable)) {
		fmt.Fprintf(b, "              %d not without %s: %s\n", len(p.Unprovable[call]), call, strings.Join(p.Unprovable[call], ", "))
	}
	for _, call := range slices.Sorted(maps.Keys(p.Unclear)) {
		fmt.Fprintf(b, "              %d if there is %s, which a run shows: %s\n", len(p.Unclear[call]), call, strings.Join(p.Unclear[call], ", "))
	}
	for _, reason := range slices.Sorted(maps.Keys(p.Lacking)) {
		fmt.Fprintf(b, "              %d not, since %s: %s\n", len(p.Lacking[reason]), report.OneLine(reason), strings.Join(p.Lacking[reason], ", "))
	}
	if n := len(p.NotClaimed); n > 0 {
		fmt.Fprintf(b, "              %d belong to capabilities that aren't claimed\n", n)
	}
	if n := len(p.Untestable); n > 0 {
		fmt.Fprintf(b, "              %d can't be tested from outside\n", n)
	}
}

// requirements returns a number of them, in words.
func requirements(n int) string {
	if n == 1 {
		return "1 requirement"
	}
	return fmt.Sprintf("%d requirements", n)
}
