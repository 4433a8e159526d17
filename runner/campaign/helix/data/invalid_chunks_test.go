package data

import (
	"testing"

	"github.com/streamcert/streamcert/reference"
	variant "github.com/streamcert/streamcert/reference/variant/helix"
	"github.com/streamcert/streamcert/schemas"
)

// TestWrongChunksAreWrong: chunks that a server must refuse violate the permissive profile of the schemas as well.
func TestWrongChunksAreWrong(t *testing.T) {
	set, err := schemas.Load(schemas.FS, "helix")
	if err != nil {
		t.Fatal(err)
	}
	for n := range InvalidChunks {
		body := InvalidChunk(n, "mark")
		if found := set.Chunk(schemas.Lenient, body).Findings; len(found) == 0 {
			t.Errorf("the schemas allow %s", body)
		}
	}
}

// TestNoVariantTakesWrongChunks: no chunk among them is one that a server may relay.
func TestNoVariantTakesWrongChunks(t *testing.T) {
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range variant.Catalogue() {
		o := v.Applied(reference.Defaults(reference.Options{Validate: validate}))
		for n := range InvalidChunks {
			if body := InvalidChunk(n, "mark"); o.Validate(body) == nil {
				t.Errorf("%s takes %s", v.Name, body)
			}
		}
	}
}
