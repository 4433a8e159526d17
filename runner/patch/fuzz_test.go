package patch_test

import (
	"testing"

	"github.com/streamcert/streamcert/runner/patch"
)

// FuzzApply: no patch panics, one that fails leaves the document as it was, and the document is JSON of the size that it reports.
func FuzzApply(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"a":[1,{"b":"é"}]}`, `[{"op":"add","path":"/a/0","value":{}},{"op":"move","from":"/a/0","path":"/c"}]`},
		{`[]`, `[{"op":"add","path":"/-","value":null},{"op":"copy","from":"/0","path":"/0"},{"op":"test","path":"/1","value":1}]`},
		{`{"~":{"/":0}}`, `[{"op":"remove","path":"/~0/~1"},{"op":"replace","path":"","value":[1e400]}]`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, document, text string) {
		d, err := patch.Parse([]byte(document), patch.Limits{Bytes: 1 << 16, Values: 1000, Depth: 50, Budget: patch.NewBudget(1 << 20)})
		if err != nil {
			return
		}
		operations, err := patch.Operations([]byte(text))
		if err != nil {
			return
		}
		before := string(d.JSON())
		if err := d.Apply(operations, int64(len(text))); err != nil && string(d.JSON()) != before {
			t.Errorf("%v, and %s became %s", err, before, d.JSON())
		}
		if size := d.Size(); size != int64(len(d.JSON())) {
			t.Errorf("%d bytes are said to be %d: %s", len(d.JSON()), size, d.JSON())
		}
	})
}
