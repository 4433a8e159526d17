package lab

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/schemas"
)

func TestIdleAsJSON(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole suite against a server")
	}
	r := streamcert(t, "", "idle", "--pack", "aep", "--only", "ignores-scripts", "--format", "json")
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	if result := kit.Document("idle", schemas.Strict, []byte(r.Out)); r.Code != 0 || !result.OK() {
		t.Fatalf("%d: %v\n%s", r.Code, result.Findings, r.Out)
	}
	var rep struct {
		Servers, Vacuous int
		Results          []struct {
			Vacuous []string
			Shown   map[string]int
		}
	}
	if err := json.Unmarshal([]byte(r.Out), &rep); err != nil {
		t.Fatal(err)
	}
	if rep.Servers != 1 || len(rep.Results) != 1 || rep.Vacuous != 0 {
		t.Fatalf("%+v", rep)
	}
	got := rep.Results[0]
	if diff := cmp.Diff([]string{}, got.Vacuous); diff != "" {
		t.Error(diff)
	}
	if got.Shown["events"] == 0 || got.Shown["tools"] != 0 {
		t.Errorf("shown: %v", got.Shown)
	}
}

func TestIdleRefuses(t *testing.T) {
	streamcert(t, "", "idle", "--only", "only-txt").OneLine(t, misuse, `no idle server is named "only-txt"; did you mean only-text?`)
	streamcert(t, "", "idle", "--only", "[").OneLine(t, misuse, "a [ is not closed")
	streamcert(t, "", "idle", "--format", "xml").OneLine(t, misuse, "expected console or json")
}
