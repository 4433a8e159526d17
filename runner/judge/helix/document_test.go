package helix

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

// plain renders a document without what isn't known of it.
func (d *document) plain() string {
	b, err := json.Marshal(rendered(d.root))
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func rendered(v any) any {
	switch v := v.(type) {
	case *object:
		out := map[string]any{}
		for name, member := range v.members {
			out[name] = rendered(member)
		}
		return out
	case map[string]any:
		return rendered(&object{members: v})
	case *array:
		out := []any{}
		for _, item := range v.items {
			out = append(out, rendered(item))
		}
		return out
	case []any:
		return rendered(&array{items: v})
	}
	return v
}

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

// excused are inputs on which the library is looser than RFC 6902: a value moved
// into itself, a null that it can't tell from nothing, and a dash that names no
// item.
func excused(o operation, d document) bool {
	if o.op == "test" && o.value == nil {
		return true
	}
	if v, what := d.look(o.path); what == there && v == nil || strings.HasSuffix(o.text, "/-") && o.op != "add" {
		return true
	}
	if v, what := d.look(o.from); o.from != nil && (what != there || v == nil) {
		return true
	}
	return o.op == "move" && len(o.path) >= len(o.from) && strings.HasPrefix(strings.Join(o.path, "/")+"/", strings.Join(o.from, "/")+"/")
}

// TestDocumentAppliesAsTheLibraryDoes compares with an implementation of RFC 6902
// that knows whole documents.
func TestDocumentAppliesAsTheLibraryDoes(t *testing.T) {
	options := jsonpatch.NewApplyOptions()
	options.SupportNegativeIndices = false
	applied, refused := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var eras int64
		text := []byte(`{"a":{"b":[1,2,{"c":[]}]},"b":[[],{}],"c":"t"}`)
		d := documentOf(text)
		d.age(&eras)
		for range 40 {
			raw := draw(r)
			o, ok := operationOf(decoded(t, raw))
			if !ok {
				t.Fatalf("%s isn't read", raw)
			}
			if excused(o, d) {
				continue
			}
			p, err := jsonpatch.DecodePatch([]byte("[" + raw + "]"))
			if err != nil {
				t.Fatal(err)
			}
			out, wrong := p.ApplyWithOptions(text, options)
			before := d
			d.age(&eras)
			judged, why := d.apply(o, &eras)
			if (why != "") != (wrong != nil) || !judged {
				t.Fatalf("seed %d: %s on %s: got %q, the library %v", seed, raw, text, why, wrong)
			}
			if wrong != nil {
				refused++
				d = before
				d.age(&eras)
				continue
			}
			applied++
			text = out
			if got, want := canonical(t, []byte(d.plain())), canonical(t, text); got != want {
				t.Fatalf("seed %d: %s gave %s, the library %s", seed, raw, got, want)
			}
			if got := documentOf(text); got.weight != d.weight {
				t.Fatalf("seed %d: %s: weight %d, counted anew %d", seed, raw, d.weight, got.weight)
			}
		}
	}
	if applied < 1000 || refused < 1000 {
		t.Errorf("%d operations were applied and %d refused", applied, refused)
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

// decodeLoosely is nil for what is no JSON.
func decodeLoosely(raw string) any {
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

func canonical(t *testing.T, raw []byte) string {
	t.Helper()
	b, err := json.Marshal(decoded(t, string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestSameAndDigest(t *testing.T) {
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
		if equal, sure := same(a, b); equal != c.same || !sure {
			t.Errorf("%s and %s: same %v, sure %v", c.a, c.b, equal, sure)
		}
		if (digest(a) == digest(b)) != c.same {
			t.Errorf("%s and %s: equal digests are not %v", c.a, c.b, c.same)
		}
	}
	if _, sure := same([]any{hidden{}}, []any{"x"}); sure {
		t.Error("what isn't known was compared")
	}
}
