package lab

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/schemas"
)

func TestVariantsAsJSON(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the whole suite against a server")
	}
	r := streamcert(t, "", "variants", "--pack", "aep", "--only", "no-message-ids", "--all", "--format", "json")
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	if result := kit.Document("variants", schemas.Strict, []byte(r.Out)); r.Code != 0 || !result.OK() {
		t.Fatalf("%d: %v\n%s", r.Code, result.Findings, r.Out)
	}
	var rep struct {
		Variants int
		Accused  []string
		Results  []struct {
			Name  string
			Warns []string
		}
	}
	if err := json.Unmarshal([]byte(r.Out), &rep); err != nil {
		t.Fatal(err)
	}
	if rep.Variants != 1 || len(rep.Accused) != 0 || len(rep.Results) != 1 {
		t.Fatalf("%+v", rep)
	}
	if diff := cmp.Diff([]string{"aep.events.message-id"}, rep.Results[0].Warns); diff != "" {
		t.Error(diff)
	}
}

func TestVariantsRefuse(t *testing.T) {
	streamcert(t, "", "variants", "--only", "crfl").OneLine(t, misuse, `no variant is named "crfl"; did you mean crlf?`)
	streamcert(t, "", "variants", "--only", "[").OneLine(t, misuse, "a [ is not closed")
	streamcert(t, "", "variants", "--format", "xml").OneLine(t, misuse, "expected console or json")
}
