package prove

import (
	"fmt"
	"io"
	"strings"

	"github.com/streamcert/streamcert/runner/report"
)

// WriteJSON writes the report as one document.
func (r *VariantReport) WriteJSON(w io.Writer) error { return report.WriteDocument(w, "the report", r) }

// maxAccusations limits the accusations of one variant that are shown.
const maxAccusations = 5

// WriteConsole writes a summary: the accused variants with their accusations, and the counts.
func (r *VariantReport) WriteConsole(w io.Writer) error {
	var b strings.Builder
	again := fmt.Sprintf(" --seed %d", r.Seed)
	if r.All {
		again += " --all"
	}
	for _, v := range r.Results {
		if len(v.Accusations) == 0 {
			continue
		}
		fmt.Fprintf(&b, "accused: %s\n  %s\n  allowed by: %s\n", v.Name, v.Summary, v.Freedom)
		for i, h := range v.Accusations {
			if i == maxAccusations {
				fmt.Fprintf(&b, "  and %d more\n", len(v.Accusations)-maxAccusations)
				break
			}
			b.WriteString("  - ")
			if h.Requirement != "" {
				fmt.Fprintf(&b, "%s is %s: ", h.Requirement, h.Verdict)
			}
			b.WriteString(strings.ReplaceAll(h.Message, "\n", "\n    ") + "\n")
			if h.Scenario != "" {
				fmt.Fprintf(&b, "    %s, %s\n", h.Scenario, h.Position)
			}
		}
		fmt.Fprintf(&b, "  look at it: streamcert-lab variants --only %s%s\n\n", v.Name, again)
	}
	met := fmt.Sprintf("a fifth of the scenarios each, drawn by seed %d", r.Seed)
	if r.All {
		met = "all scenarios each"
	}
	fmt.Fprintf(&b, "%d variants: %d pass, %d accused; %s; %.1f s\n", r.Variants, r.Variants-len(r.Accused), len(r.Accused), met, r.Seconds)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
