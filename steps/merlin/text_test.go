package merlin

import (
	"testing"

	"github.com/streamcert/streamcert/runner/wire"
)

// TestOtherForm: only a text that readers of the route's version don't have, and those of the other have, is of its form.
func TestOtherForm(t *testing.T) {
	for _, c := range []struct {
		name    string
		version int
		data    string
		want    string
	}{
		{"version 2 on the route of version 1", 1, `{"content":"","index":0,"type":"text","text":"One. "}`, ", sent in the form of version 2"},
		{"version 1 on its route", 1, `{"content":"One. "}`, ""},
		{"version 1 with a type", 1, `{"content":"One. ","type":"text","text":"One. "}`, ""},
		{"version 2 on its route", 2, `{"content":"","index":0,"type":"text","text":"One. "}`, ""},
		{"no text at all", 1, `{"content":"","index":0,"type":"reasoning","reasoning":"Hm."}`, ""},
	} {
		if got := otherForm(c.version, []*wire.Frame{{Data: []byte(c.data)}}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
