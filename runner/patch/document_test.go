package patch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/streamcert/streamcert/runner/patch"
)

func parsed(t *testing.T, text string) *patch.Document {
	t.Helper()
	d, err := patch.Parse([]byte(text), patch.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// apply applies a patch that is a text.
func apply(d *patch.Document, text string) error {
	operations, err := patch.Operations([]byte(text))
	if err != nil {
		return err
	}
	return d.Apply(operations, int64(len(text)))
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
	value := []string{`1`, `"t"`, `[]`, `{}`, `[1,[2]]`, `{"z":{"a":[0]},"a":"<é\u2028\n"}`, `false`}[r.IntN(7)]
	switch op := []string{"add", "add", "replace", "remove", "move", "copy", "test"}[r.IntN(7)]; op {
	case "add", "replace", "test":
		return fmt.Sprintf(`{"op":%q,"path":%q,"value":%s}`, op, path(), value)
	case "move", "copy":
		return fmt.Sprintf(`{"op":%q,"path":%q,"from":%q}`, op, path(), path())
	default:
		return fmt.Sprintf(`{"op":"remove","path":%q}`, path())
	}
}

// loose reports that the library takes an operation that RFC 6902 doesn't: a value
// that is moved into itself, and a dash that names no item.
func loose(t *testing.T, text string) bool {
	var o struct{ Op, Path, From string }
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return strings.HasSuffix(o.Path, "/-") && o.Op != "add" || strings.HasSuffix(o.From, "/-") ||
		o.Op == "move" && strings.HasPrefix(o.Path+"/", o.From+"/")
}

// TestApplyAsTheLibraryDoes draws patches and compares the results and refusals with another implementation of RFC 6902. A
// refused patch changes nothing, and a clone is independent of later patches.
func TestApplyAsTheLibraryDoes(t *testing.T) {
	o := jsonpatch.NewApplyOptions()
	o.SupportNegativeIndices, o.EscapeHTML = false, false
	taken, refused := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := `{"a":{"b":[1,2,{"c":[]}]},"b":[[],{}],"c":"t"}`
		d := parsed(t, text)
		for range 30 {
			var list []string
			for range 1 + r.IntN(2) {
				if op := draw(r); !loose(t, op) {
					list = append(list, op)
				}
			}
			complete := "[" + strings.Join(list, ",") + "]"
			p, err := jsonpatch.DecodePatch([]byte(complete))
			if err != nil {
				t.Fatal(err)
			}
			want, wrong := p.ApplyWithOptions([]byte(text), o)
			clone := d.Clone()
			err = apply(d, complete)
			if string(clone.JSON()) != text {
				t.Fatalf("seed %d: %s changed a clone: %s, was %s", seed, complete, clone.JSON(), text)
			}
			if (err != nil) != (wrong != nil) {
				t.Fatalf("seed %d: %s on %s: %v, the library %v", seed, complete, text, err, wrong)
			}
			if r.IntN(2) == 0 && err == nil {
				d = clone // goes on where the patch wasn't
				continue
			}
			if wrong != nil {
				want = []byte(text)
				refused++
			} else {
				taken++
			}
			var compact bytes.Buffer
			if err := json.Compact(&compact, want); err != nil {
				t.Fatal(err)
			}
			text = string(d.JSON())
			if indented(t, text) != indented(t, compact.String()) {
				t.Fatalf("seed %d: %s gave %s, the library %s", seed, complete, text, compact.String())
			}
			if int(d.Size()) != len(text) {
				t.Fatalf("seed %d: after %s the size is %d, of %d bytes: %s", seed, complete, d.Size(), len(text), text)
			}
		}
	}
	if taken < 1000 || refused < 1000 {
		t.Errorf("%d patches were taken and %d refused", taken, refused)
	}
}

// indented writes JSON without choices.
func indented(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestApplyKeepsTheOrderOfMembers(t *testing.T) {
	d := parsed(t, `{"z":1,"a":{"y":2,"b":3}}`)
	if err := apply(d, `[{"op":"replace","path":"/a/y","value":{"q":1,"c":2}},{"op":"remove","path":"/z"},{"op":"add","path":"/z","value":0}]`); err != nil {
		t.Fatal(err)
	}
	if got := string(d.JSON()); got != `{"a":{"y":{"q":1,"c":2},"b":3},"z":0}` {
		t.Error(got)
	}
	if text, complete := d.Prefix(9); complete || !strings.HasPrefix(string(d.JSON()), string(text[:9])) || len(text) > 30 {
		t.Errorf("%s %v", text, complete)
	}
}

// TestLimitsHold: a patch that exceeds a limit fails in bounded time, leaves the document unchanged, and names the limit.
func TestLimitsHold(t *testing.T) {
	copies := func(n int) string { // each doubles the document
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,{"op":"copy","from":"/a","path":"/a/%d"}`, i)
		}
		return "[" + b.String()[1:] + "]"
	}
	for name, c := range map[string]struct {
		document, patch, says string
	}{
		"copies of itself": {`{"a":{"t":"` + strings.Repeat("0123456789", 100) + `"}}`, copies(64), "bytes of JSON"},
		"many values":      {`{"a":{"t":[0,0,0,0,0]}}`, copies(64), "values"},
		"levels":           {`{}`, `[{"op":"add","path":"/a","value":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}]`, "levels"},
		"operations":       {`{}`, "[" + strings.Repeat(`{"op":"test","path":"","value":{}},`, 100_000) + `{"op":"test","path":"","value":{}}]`, "operations"},
		"work": {`{"a":"` + strings.Repeat("x", 4<<20) + `"}`,
			"[" + strings.Repeat(`{"op":"copy","from":"/a","path":"/b"},{"op":"remove","path":"/b"},`, 10_000) + `{"op":"test","path":"/a","value":1}]`, "work"},
		"moved items": {`{"a":[` + strings.Repeat("0,", 100_000) + `0]}`, "[" + strings.Repeat(`{"op":"add","path":"/a/0","value":1},{"op":"remove","path":"/a/0"},`, 6_000) + `{"op":"test","path":"/a/0","value":1}]`, "work"},
	} {
		d := parsed(t, c.document)
		began := time.Now()
		err := apply(d, c.patch)
		var limit *patch.LimitError
		if !errors.As(err, &limit) || !strings.Contains(limit.Of, c.says) {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 60*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		if string(d.JSON()) != c.document {
			t.Errorf("%s: the document has changed", name)
		}
	}
	if _, err := patch.Parse([]byte(strings.Repeat("[", 1001)+strings.Repeat("]", 1001)), patch.Limits{}); err == nil {
		t.Error("a document of 1001 levels was taken")
	}
	if _, err := patch.Parse([]byte(strings.Repeat("[", 1000)+strings.Repeat("]", 1000)), patch.Limits{}); err != nil {
		t.Errorf("a document of 1000 levels: %v", err)
	}
}

// TestApplyIsLinear: many patches that each touch little cost little.
func TestApplyIsLinear(t *testing.T) {
	d := parsed(t, `{"list":[],"map":{}}`)
	began := time.Now()
	for i := range 50_000 {
		if err := apply(d, fmt.Sprintf(`[{"op":"add","path":"/list/-","value":%d},{"op":"add","path":"/map/%d","value":0}]`, i, i)); err != nil {
			t.Fatal(i, err)
		}
	}
	if took := time.Since(began); took > 60*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestWhatIsNoPatch(t *testing.T) {
	for _, text := range []string{
		``, `{}`, `null`, `[1]`, `[null]`, `[{}]`, `[{"op":"add"}]`, `[{"op":"add","path":"a","value":1}]`, `[{"op":"add","path":"/a"}]`,
		`[{"op":"merge","path":"/a","value":1}]`, `[{"op":"move","path":"/a"}]`, `[{"Op":"remove","Path":"/a"}]`, `[{"op":"remove","path":null}]`,
	} {
		var s *patch.SyntaxError
		if _, err := patch.Operations([]byte(text)); !errors.As(err, &s) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{``, ` `, `{`, `{"a"}`, `[1,]`, `1 2`, `{"a":1]`, `tru`} {
		if _, err := patch.Parse([]byte(text), patch.Limits{}); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

// TestUnknown: results on unknown positions are uncertain, and those on known ones sure.
func TestUnknown(t *testing.T) {
	d := patch.Unknown(patch.Limits{})
	for _, c := range []struct {
		op   string
		sure bool
		says string
	}{
		{`{"op":"remove","path":"/a/b"}`, false, ""},
		{`{"op":"test","path":"/a","value":1}`, false, ""},
		{`{"op":"add","path":"/a","value":{"b":1}}`, true, ""},
		{`{"op":"test","path":"/a/b","value":1.0}`, true, ""},
		{`{"op":"remove","path":"/a/c"}`, true, "isn't there"},
		{`{"op":"copy","from":"/x","path":"/a/x"}`, false, ""},
		{`{"op":"test","path":"/a","value":{"b":1,"x":2}}`, false, ""},
		{`{"op":"remove","path":"/a"}`, true, ""},
		{`{"op":"remove","path":"/a"}`, true, "isn't there"},
		{`{"op":"remove","path":""}`, true, ""},
		{`{"op":"test","path":"","value":null}`, false, ""},
	} {
		o, err := patch.ParseOperation([]byte(c.op))
		if err != nil {
			t.Fatal(err)
		}
		sure, err := d.Operate(o, int64(len(c.op)))
		if sure != c.sure || (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: sure %v, %v", c.op, sure, err)
		}
	}
}
