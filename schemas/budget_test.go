package schemas

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// multiplying returns a pack whose only frame refers to a last schema twice as often at each of 24 levels, below a list of
// long lists.
func multiplying(last string) fstest.MapFS {
	var b strings.Builder
	b.WriteString(`{"$schema":"https://json-schema.org/draft/2020-12/schema","$ref":"#/$defs/0","$defs":{`)
	for i := range 24 {
		fmt.Fprintf(&b, `"%d":{"allOf":[{"$ref":"#/$defs/%d"},{"$ref":"#/$defs/%d"}]},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"24":%s}}`, last)
	return fstest.MapFS{
		"toy/pack.json":      {Data: []byte(`{"discriminator":"type","unknown":{"frame":"frames/a.json"}}`)},
		"toy/frames/a.json":  {Data: []byte(b.String())},
		"toy/frames/ok.json": {Data: []byte(`{"type":"object"}`)},
	}
}

// TestReferencesThatMultiply: a schema that is applied millions of times to one value ends with a message, and from then on
// at once.
func TestReferencesThatMultiply(t *testing.T) {
	for name, last := range map[string]string{
		"valid":   `{}`,
		"invalid": `{"type":"string"}`,
		"items":   `{"properties":{"list":{"items":{"type":"string"}}}}`,
	} {
		set, err := Load(multiplying(last), "toy")
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			r := set.Frame(Strict, []byte(`{"type":"a","list":[`+strings.Repeat("1,", 1001)+`1]}`))
			if len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Message, "its references multiply") {
				t.Fatalf("%s: %.300v", name, r.Findings)
			}
		}
	}
}

// TestSchemasAreBounded: a schema file of too many values is refused.
func TestSchemasAreBounded(t *testing.T) {
	pack := multiplying(`{"enum":[` + strings.Repeat("1,", 20_000) + `1]}`)
	if _, err := Load(pack, "toy"); err == nil || !strings.Contains(err.Error(), "toy/frames/a.json: a schema file may have 20000 JSON values") {
		t.Errorf("%v", err)
	}
}
