package schemas

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// packsOf lists the packs of the embedded schemas.
func packsOf(t *testing.T) []*Set {
	t.Helper()
	manifests, err := fs.Glob(FS, "*/"+manifestName)
	if err != nil || len(manifests) == 0 {
		t.Fatal(manifests, err)
	}
	var out []*Set
	for _, name := range manifests {
		s, err := Load(FS, strings.TrimSuffix(name, "/"+manifestName))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// library compiles a published schema without any file of the kit.
func library(t *testing.T, published map[string]any) func(address string) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(published)
	if err != nil {
		t.Fatal(err)
	}
	if keyword := strings.Index(string(text), `"x-`); keyword >= 0 {
		t.Errorf("%s has a keyword of the kit: %.60s", published["$id"], text[keyword:])
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	if err := c.AddResource(published["$id"].(string), bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return func(address string) *jsonschema.Schema {
		t.Helper()
		s, err := c.Compile(address)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

func accepts(t *testing.T, schema *jsonschema.Schema, document string) bool {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(document))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return false
	}
	return schema.Validate(value) == nil
}

// TestPublished: the bundles, which need nothing else, judge each example as the kit does.
func TestPublished(t *testing.T) {
	for _, s := range packsOf(t) {
		for p := range Profile(profiles) {
			at := base + s.Pack() + "/" + p.String() + ".json"
			compiled := library(t, s.Bundle(p))
			for _, name := range s.Names() {
				schema := compiled(at + "#/$defs/" + FlatName(name))
				for _, x := range slices.Concat(s.Examples(name), s.Invalid(name)) {
					want := x.Requirement == "" || p == Lenient && x.Lenient
					if got := accepts(t, schema, string(x.Value)); got != want {
						t.Errorf("%s: %s: %s: accepted is %t, want %t", at, name, x.Name, got, want)
					}
				}
			}
		}
	}
}

func TestUnions(t *testing.T) {
	for _, c := range []struct {
		pack, union, document string
		strict, lenient       bool
	}{
		{"helix", "any-frame", `{"type":"status","status":"paused"}`, true, true},
		{"helix", "any-frame", `{"type":"status"}`, false, false},
		{"helix", "any-frame", `{"type":"new"}`, true, true},
		{"helix", "any-frame", `{}`, false, false},
		{"helix", "any-frame", `{"type":"chunk","sequence":1,"chunk":{"type":"text_delta","agentId":"a","agentType":"b","timestamp":1}}`, false, false},
		{"helix", "any-chunk", `{"type":"text_delta","agentId":"a","delta":"x"}`, false, true},
		{"helix", "any-chunk", `{"type":"new","agentId":"a"}`, true, true},
		{"helix", "any-chunk", `{"type":"new"}`, false, false},
		{"helix-ui", "any-frame", `{"type":"start-step"}`, true, true},
		{"helix-ui", "frames.start-step", `{"type":"finish-step"}`, false, false},
		{"helix-ui", "any-frame", `{"type":"data-x"}`, false, false},
		{"merlin", "any-chunk", `{"content":"","index":2,"type":"toolCallResult","toolCallResult":{"index":0,"delta":"It "}}`, true, true},
		{"merlin", "any-chunk", `{"content":"","index":2,"type":"text"}`, false, false},
	} {
		s, err := Load(FS, c.pack)
		if err != nil {
			t.Fatal(err)
		}
		for p, want := range map[Profile]bool{Strict: c.strict, Lenient: c.lenient} {
			schema := library(t, s.Bundle(p))(base + c.pack + "/" + p.String() + ".json#/$defs/" + c.union)
			if got := accepts(t, schema, c.document); got != want {
				t.Errorf("%s %s %s (%s): accepted is %t, want %t", c.pack, c.union, c.document, p, got, want)
			}
		}
	}
}
