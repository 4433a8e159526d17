package helix

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// draw makes an operation that often fits the documents that others make.
func draw(r *rand.Rand) string {
	path := func() string {
		var b strings.Builder
		for range 1 + r.IntN(3) {
			b.WriteString("/" + []string{"a", "b", "c", "0", "1", "-", "x~1y"}[r.IntN(7)])
		}
		return b.String()
	}
	value := []string{`1`, `"t"`, `[]`, `{}`, `[1,[2]]`, `{"a":{"b":[0]}}`, `null`}[r.IntN(7)]
	switch op := []string{"add", "add", "replace", "remove", "move", "copy", "test"}[r.IntN(7)]; op {
	case "add", "replace", "test":
		return fmt.Sprintf(`{"op":%q,"path":%q,"value":%s}`, op, path(), value)
	case "move", "copy":
		return fmt.Sprintf(`{"op":%q,"path":%q,"from":%q}`, op, path(), path())
	default:
		return fmt.Sprintf(`{"op":"remove","path":%q}`, path())
	}
}

func decoded(t *testing.T, raw string) any {
	t.Helper()
	v := decodeLoosely(raw)
	if v == nil && raw != "null" {
		t.Fatalf("%s is no JSON", raw)
	}
	return v
}

// decodeLoosely returns nil for invalid JSON.
func decodeLoosely(raw string) any {
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// TestSameDigest: digests distinguish the values that a test in a patch distinguishes.
func TestSameDigest(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`1`, `1.0`, true}, {`1e2`, `100`, true}, {`0`, `-0`, true}, {`9007199254740993`, `9007199254740992`, true},
		{`{"a":1,"b":[2]}`, `{"b":[2e0],"a":1}`, true}, {`null`, `null`, true}, {`[[]]`, `[[]]`, true},
		{`1`, `2`, false}, {`1`, `"1"`, false}, {`null`, `false`, false}, {`null`, `{}`, false}, {`[]`, `{}`, false}, {`{}`, `null`, false},
		{`[1,2]`, `[2,1]`, false}, {`{"a":1}`, `{"a":1,"b":1}`, false}, {`{"a":1}`, `{"b":1}`, false}, {`"é"`, `"e"`, false},
	} {
		a, b := decoded(t, c.a), decoded(t, c.b)
		d, err := patch.New(map[string]any{"v": a}, patch.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if sure, err := d.Operate(patch.Operation{Op: "test", Path: patch.Pointer{"v"}, Value: b}, 0); !sure || (err == nil) != c.same {
			t.Errorf("%s and %s: sure %v, %v", c.a, c.b, sure, err)
		}
		if (judge.Digest(a) == judge.Digest(b)) != c.same {
			t.Errorf("%s and %s: equal digests are not %v", c.a, c.b, c.same)
		}
	}
}
