package check_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/check"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/recording"
	"github.com/streamcert/streamcert/spec"
)

var written = []recording.Finding{
	{Level: spec.Must, Finding: record.Finding{Requirement: "helix.wire.json", Message: "bad \x1b[2J", Want: "JSON", Got: "a\nb", Line: 3, Offset: 17, Instance: "/x"}},
	{Finding: record.Finding{Message: "cut", Line: 5, Offset: 40}},
}

func TestCheckText(t *testing.T) {
	var b bytes.Buffer
	w := check.Text(&b, certifytest.Load(t, "helix"), "a\x1b.sse")
	for _, f := range written {
		if err := w.Found(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(recording.Checked{Format: "sse", Events: 2, Bytes: 60, Must: 1, Notes: 1, Exercised: []string{"a", "b"}}, nil); err != nil {
		t.Fatal(err)
	}
	got, total, _ := strings.Cut(b.String(), " of ")
	want := `a\x1b.sse:3: byte 17: helix.wire.json (MUST): bad \x1b[2J at /x; want JSON, got a\nb
a\x1b.sse:5: byte 40: note: cut
a\x1b.sse: 2 events in 60 bytes (sse), 1 findings (1 MUST, 0 SHOULD), 1 notes, 2`
	if diff := cmp.Diff(want, got); diff != "" || !strings.HasSuffix(total, " requirements exercised\n") {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCheckJSONIsOneDocument(t *testing.T) {
	for n := range len(written) + 1 {
		var b bytes.Buffer
		w := check.JSON(&b, certifytest.Load(t, "helix"), "a.sse")
		for _, f := range written[:n] {
			if err := w.Found(f); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(recording.Checked{Events: 2}, errors.New("the disk is gone")); err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Suite    struct{ Pack string }
			Findings []struct{ Level string }
			Summary  struct {
				Events int
				Error  string
			}
		}
		if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
			t.Fatalf("%v in %s", err, b.Bytes())
		}
		if len(doc.Findings) != n || doc.Suite.Pack != "helix" || doc.Summary.Error == "" || n == 2 && doc.Findings[1].Level != "note" {
			t.Errorf("%s", b.Bytes())
		}
	}
}
