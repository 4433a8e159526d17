package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/report"
)

// FuzzReadJSON: no report panics while it is read, verified, and written again.
func FuzzReadJSON(f *testing.F) {
	var whole strings.Builder
	if err := report.WriteJSON(&whole, recorded()); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(whole.String()))
	f.Add([]byte(`{"scenarios":[{"exchanges":[{"kind":"read","frames":{"gzip":"H4sIAAAAAAAA/w=="},"answer":{"omitted":-1}}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := report.ReadJSON(bytes.NewReader(text))
		if err != nil {
			return
		}
		report.Verify(r, func(exchanges []report.Exchange) (report.Judged, error) {
			for _, e := range exchanges {
				if _, err := e.Record(); err != nil {
					return report.Judged{}, err
				}
			}
			return report.Judged{}, nil
		})
		var again bytes.Buffer
		if err := report.WriteJSON(&again, r); err != nil {
			t.Errorf("a report that was read can't be written: %v", err)
		}
	})
}
