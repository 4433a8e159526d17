package jsontext_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/schemas/jsontext"
)

// texts are JSON texts, valid and invalid, that are hard to parse.
func texts() []string {
	long := strings.Repeat("x", 100)
	out := []string{
		``, ` `, `null`, ` true`, `false `, `nul`, `truex`, `-`, `-0`, `01`, `1.50e+07`, `1e`, `.5`, `""`, `"`, `"\`, `{`, `{}`, `{ }`, `[ ]`, `[1,]`, `[,1]`,
		`{"a":1,}`, `{"a" 1}`, `{a:1}`, "\t{ \"a\" :\r\n[ 1 , \"b \\\" c\" , { } ] }\n", `{}{}`, `1 2`, `"a"b`, "\"\x00\"", "\x00", "\"\x7f\"", `{"a":1,"a":2}`,
		`"\u00e9\ud83d\ude00\ud83d x \ude00"`, "\"é \xff\"", `"\x"`, `"\u12g4"`, `"a\nb\/\\"`, "\"a\nb\"", strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
		strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), `{"` + long + `": "` + long + `"}`,
	}
	// The end of the plain part of a string, at each position of a word of eight bytes.
	for _, c := range []string{`"`, `\n`, "\x1f", " ", "!", "#", "[", "]", "\x7f", "\x80", "é", "\n"} {
		for n := range 17 {
			out = append(out, `"`+long[:n]+c+long[:17-n]+`"`)
		}
	}
	return out
}

// TestCompact: a text is refused and compacted as encoding/json does it, and one without white space is not copied.
func TestCompact(t *testing.T) {
	for _, text := range texts() {
		sameAsTheLibrary(t, []byte(text))
	}
	plain := []byte(`{"a":["b c"]}`)
	if got, ok := jsontext.Compact(plain, 9); !ok || &got[0] != &plain[0] {
		t.Errorf("%s, %v: copied", got, ok)
	}
	if _, ok := jsontext.Compact([]byte(`[[[]]]`), 2); ok {
		t.Error("three levels are taken for two")
	}
}

func sameAsTheLibrary(t *testing.T, text []byte) {
	t.Helper()
	var want bytes.Buffer
	err := json.Compact(&want, text)
	got, ok := jsontext.Compact(bytes.Clone(text), 10_000)
	if ok != (err == nil) || ok && !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%.60q: got %.60q, %v; the standard library %.60q, %v", text, got, ok, want.Bytes(), err)
	}
	if json.Valid(text) && strings.HasPrefix(strings.TrimSpace(string(text)), `"`) {
		r := jsontext.NewReader(bytes.TrimSpace(text), 1)
		var want string
		if err := json.Unmarshal(text, &want); err != nil || r.Text(r.String()) != want {
			t.Errorf("%q: the standard library reads %q, %v", text, want, err)
		}
	}
}

func FuzzCompact(f *testing.F) {
	for _, text := range texts() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { sameAsTheLibrary(t, text) })
}

// TestMembers: every member comes once, with the text of its value, until the object ends or can't be read.
func TestMembers(t *testing.T) {
	for text, want := range map[string][]string{
		`{"a":1, "b" : {"c":[2]} ,"a":"x"}`: {"a=1", `b={"c":[2]}`, `a="x"`},
		`{}`:                                nil,
		`{"a":1,"b":tru}`:                   {"a=1"},
		`{"a":1`:                            {"a=1"},
	} {
		r := jsontext.NewReader([]byte(text), 9)
		var got []string
		for name, value := range r.Members() {
			got = append(got, r.Text(name)+"="+string(value))
		}
		if !slices.Equal(got, want) || (r.Err() == "") != json.Valid([]byte(text)) {
			t.Errorf("%s: %q, %q", text, got, r.Err())
		}
	}
}
