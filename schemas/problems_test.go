package schemas

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const goodFile = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://streamcert.github.io/streamcert/schemas/toy/doc.json",
	"title": "T", "description": "D", "$comment": "requirement toy.a.b", "type": "object", "required": ["n"],
	"properties": {"n": {"description": "N.", "type": "integer", "x-lenient": {"type": "number"}}},
	"examples": [{"n": 1}], "x-invalid": [{"name": "no n", "value": {}, "requirement": "toy.a.b"}]
}`

const toyManifest = `{
	"discriminator": "type", "nested": {"frame": "", "member": "chunk"},
	"unknown": {"frame": "doc.json", "chunk": "doc.json"},
	"requirements": {"frame": {}, "chunk": {}}
}`

// toy returns a pack of one file.
func toy(doc string) fstest.MapFS {
	return fstest.MapFS{
		"toy/pack.json": {Data: []byte(toyManifest)},
		"toy/doc.json":  {Data: []byte(doc)},
		"toy/README.md": {Data: []byte("not a schema")},
	}
}

func TestProblems(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{"none", "", "", ""},
		{"unknown keyword", `"required"`, `"requierd"`, "requierd is not a keyword that the kit knows"},
		{"unknown format", `"type": "integer"`, `"type": "integer", "format": "int53"`, `"int53" is not a format that the kit knows`},
		{"unknown keyword in the lenient profile", `{"type": "number"}`, `{"typ": "number"}`, "typ is not a keyword that the kit knows"},
		{"no requirement", `"requirement toy.a.b", "type"`, `"", "type"`, "type resolves to no requirement"},
		{"requirement of another pack", `"requirement toy.a.b", "type"`, `"requirement other.a.b", "type"`, `"requirement other.a.b" names no requirement of the pack`},
		{"comment that is no requirement", `"requirement toy.a.b", "type"`, `"see toy.a.b", "type"`, `"see toy.a.b" names no requirement of the pack`},
		{"no address", `"$id": "https://streamcert.github.io/streamcert/schemas/toy/doc.json",`, ``, "$id is missing"},
		{"property without description", `"description": "N.", `, ``, "the property has no description"},
		{"no title", `"title": "T"`, `"title": ""`, "title is missing"},
		{"no description", `"description": "D",`, ``, "description is missing"},
		{"no valid example", `[{"n": 1}]`, `[]`, "there is no valid example"},
		{"no invalid example", `[{"name": "no n", "value": {}, "requirement": "toy.a.b"}]`, `[]`, "there is no invalid example"},
		{"valid example refused", `[{"n": 1}]`, `[{"n": "1"}]`, "a valid example is refused (strict): `n` must be an integer, got \"1\""},
		{"invalid example accepted", `"value": {}`, `"value": {"n": 1}`, "accepted is true (strict), want false"},
		{"invalid example accepted by a reader", `"value": {}`, `"value": {"n": 1.5}`, "accepted is true (lenient), want false"},
		{"invalid example that readers refuse", `"value": {}`, `"lenient": true, "value": {}`, "accepted is false (lenient), want true"},
		{"invalid example breaks another requirement", `"requirement": "toy.a.b"}`, `"requirement": "toy.a.c"}`, "breaks toy.a.b too (strict): member `n` is missing"},
		{"invalid example without requirement", `, "requirement": "toy.a.b"`, ``, `names requirement ""`},
		{"invalid example without name", `"name": "no n"`, `"name": ""`, "an invalid example needs a name of its own"},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := strings.Replace(goodFile, test.old, test.new, 1)
			if doc == goodFile && test.want != "" {
				t.Fatal("the replacement changed nothing")
			}
			s, err := Load(toy(doc), "toy")
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, p := range s.Problems() {
				if p.File != "toy/doc.json" {
					t.Errorf("file %s", p.File)
				}
				all = append(all, p.Message)
			}
			text := strings.Join(all, "\n")
			if test.want == "" && text != "" || !strings.Contains(text, test.want) {
				t.Errorf("want %q, got:\n%s", test.want, text)
			}
		})
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{"a reference to the network", `"type": "integer"`, `"$ref": "https://example.com/n.json"`, "is outside the given schemas"},
		{"a reference to a file", `"type": "integer"`, `"$ref": "file:///etc/passwd"`, "is outside the given schemas"},
		{"a reference out of the folder", `"type": "integer"`, `"$ref": "../../n.json"`, "is outside the given schemas"},
		{"an invalid schema", `"required": ["n"]`, `"required": "n"`, "compiling schema toy/doc.json (strict)"},
		{"an invalid lenient schema", `{"type": "number"}`, `{"type": "numbre"}`, "(lenient)"},
		{"a key that is there twice", `"title": "T"`, `"title": "T", "title": "U"`, "the key is there twice"},
		{"a cut file", `}]
}`, ``, "reading schemas of pack toy"},
		{"an address of another file", `toy/doc.json"`, `toy/other.json"`, "toy/doc.json: its $id must be https://streamcert.github.io/streamcert/schemas/toy/doc.json"},
		{"a file that is a list", goodFile, `[]`, "must be a JSON object"},
		{"examples that are no list", `[{"n": 1}]`, `{"n": 1}`, "examples of toy/doc.json"},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := strings.Replace(goodFile, test.old, test.new, 1)
			if doc == goodFile {
				t.Fatal("the replacement changed nothing")
			}
			if _, err := Load(toy(doc), "toy"); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("want an error with %q, got %v", test.want, err)
			}
		})
	}
}

func TestLoadWithoutPack(t *testing.T) {
	for _, pack := range []string{"nothing", "", ".", "..", "/etc"} {
		if _, err := Load(FS, pack); err == nil {
			t.Errorf("pack %q is loaded", pack)
		}
	}
	files := toy(goodFile)
	files["toy/pack.json"] = &fstest.MapFile{Data: []byte(`{"discriminatr": "type"}`)}
	if _, err := Load(files, "toy"); err == nil || !strings.Contains(err.Error(), "discriminatr") {
		t.Errorf("a manifest with a typo gives %v", err)
	}
	files = toy(goodFile)
	files["toy/pack.json"] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(toyManifest, "doc.json", "dok.json"))}
	if _, err := Load(files, "toy"); err == nil || !strings.Contains(err.Error(), "dok.json names no file") {
		t.Errorf("a manifest that names no file gives %v", err)
	}
}

func TestLenient(t *testing.T) {
	var schema any
	written := `{"required":["a","b"],"x-lenient":{"required":["a"],"not":null},"not":{},"properties":{"a":{"type":"string","x-lenient":{"type":["string","null"]}}}}`
	if err := json.Unmarshal([]byte(written), &schema); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(tolerant(schema))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"properties":{"a":{"type":["string","null"]}},"required":["a"]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again, _ := json.Marshal(schema)
	var before, after any
	_, _ = json.Unmarshal([]byte(written), &before), json.Unmarshal(again, &after)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the strict schema has changed:\n%s", diff)
	}
}

func TestRequirements(t *testing.T) {
	s, err := Load(toy(goodFile), "toy")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"toy.a.b"}, s.Requirements()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
