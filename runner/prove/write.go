package prove

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/streamcert/streamcert/runner/report"
)

// writeJSON writes a report as one document.
func writeJSON(w io.Writer, rep any) error {
	enc := json.NewEncoder(report.JSONWriter(w))
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(rep); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
