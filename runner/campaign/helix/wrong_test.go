package helix

import (
	"testing"

	"github.com/streamcert/streamcert/schemas"
)

// TestWrongChunksAreWrong: what a server must refuse breaks the lenient profile of the schemas, too.
func TestWrongChunksAreWrong(t *testing.T) {
	set, err := schemas.Load(schemas.FS, "helix")
	if err != nil {
		t.Fatal(err)
	}
	for n := range wrongs {
		body := wrong(n, "mark")
		if found := set.Chunk(schemas.Lenient, body).Findings; len(found) == 0 {
			t.Errorf("the schemas allow %s", body)
		}
	}
}
