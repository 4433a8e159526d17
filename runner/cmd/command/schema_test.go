package command

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/config"
)

var update = flag.Bool("update", false, "write the properties in schemas/config.json anew")

const schemaFile = "../../../schemas/config.json"

// member is a member of a JSON object whose order is stored. Its value is an object, or anything that encoding/json writes.
type member struct {
	name  string
	value any
}

type object []member

// oneLine returns the JSON of a value without line breaks.
func oneLine(v any) string {
	o, ok := v.(object)
	if !ok {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			return err.Error()
		}
		return strings.ReplaceAll(strings.TrimSpace(b.String()), `","`, `", "`)
	}
	var parts []string
	for _, m := range o {
		parts = append(parts, strconv.Quote(m.name)+": "+oneLine(m.value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// laid returns the JSON of a value: on one line where that is short enough.
func laid(v any, indent, before string) string {
	line := oneLine(v)
	o, ok := v.(object)
	if !ok || len(before)+len(line) < 118 {
		return line
	}
	var parts []string
	for _, m := range o {
		name := indent + "  " + strconv.Quote(m.name) + ": "
		parts = append(parts, name+laid(m.value, indent+"  ", name))
	}
	return "{\n" + strings.Join(parts, ",\n") + "\n" + indent + "}"
}

const (
	durations = `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`
	sizes     = `^[0-9]{1,12}(KiB|MiB|GiB)?$`
	addresses = `^(https?://|\$\{)`
	names     = `^([Ss][Ii][Gg])?[A-Za-z0-9]+$`
)

// schemaOf describes the value of a key.
func schemaOf(k *config.Key) object {
	out := object{{"description", sentence(k.Doc)}}
	add := func(name string, value any) { out = append(out, member{name, value}) }
	switch k.Kind {
	case config.Section:
		add("type", "object")
		if required := requiredOf(k.Keys); len(required) > 0 {
			add("required", required)
		}
		add("properties", propertiesOf(k.Keys))
		add("additionalProperties", false)
	case config.Headers:
		add("type", "object")
		add("additionalProperties", object{{"type", "string"}})
	case config.Environment:
		add("type", "object")
		add("additionalProperties", object{{"type", []string{"string", "number", "boolean"}}})
	case config.Names:
		add("type", "array")
		if k.Min != "" {
			add("minItems", json.Number(k.Min))
		}
		add("items", object{{"description", sentence("one of the " + k.Items)}, {"type", "string"}, {"minLength", 1}})
	case config.Command:
		add("type", []string{"string", "array"})
		add("minLength", 1)
		add("minItems", 1)
		add("items", object{{"description", "A word."}, {"type", "string"}})
	case config.Switch:
		add("type", "boolean")
	case config.Bytes:
		add("type", []string{"integer", "string"})
		add("minimum", max(1, config.ParseBytes(k.Min)))
		add("pattern", sizes)
	case config.Count:
		add("type", "integer")
		add("minimum", json.Number(k.Min))
		add("maximum", json.Number(k.Max))
	case config.Number:
		add("type", "number")
		add("exclusiveMinimum", 0)
		add("maximum", json.Number(k.Max))
	default:
		out = append(out, word(k)...)
	}
	return out
}

// word describes a text.
func word(k *config.Key) object {
	text := member{"type", "string"}
	switch k.Kind {
	case config.Duration:
		return object{text, {"pattern", durations}}
	case config.URL, config.Base:
		return object{text, {"pattern", addresses}}
	case config.Signal:
		return object{text, {"pattern", names}}
	case config.Template:
		return object{text, {"pattern", strings.NewReplacer("{", `\{`, "}", `\}`).Replace(`"` + k.Placeholder + `"`)}}
	case config.Name, config.Path:
		return object{text, {"minLength", 1}}
	case config.Route:
		if k.Placeholder != "" {
			return object{text, {"pattern", strings.NewReplacer("{", `\{`, "}", `\}`).Replace(k.Placeholder)}}
		}
		return object{text, {"pattern", `^(/|\$\{)`}}
	}
	return object{text}
}

func propertiesOf(keys []*config.Key) object {
	var out object
	for _, k := range keys {
		out = append(out, member{k.Name, schemaOf(k)})
	}
	return out
}

func requiredOf(keys []*config.Key) []string {
	var out []string
	for _, k := range keys {
		if k.Required {
			out = append(out, k.Name)
		}
	}
	return out
}

// TestSchemaOfConfig: schemas/config.json describes the keys that are read, no other and nothing else of them.
func TestSchemaOfConfig(t *testing.T) {
	src, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = `  "required": [`, "\n  \"additionalProperties\": false,\n  \"examples\":"
	before, rest, found := strings.Cut(string(src), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no properties between %q and %q", schemaFile, begin, end)
	}
	keys := target.Format{Sections: packs.All().Sections()}.Keys()
	const properties = `  "properties": `
	want := before + `  "required": ` + oneLine(requiredOf(keys)) + ",\n" + properties + laid(propertiesOf(keys), "  ", properties) + "," + end + after
	if *update {
		if err := os.WriteFile(schemaFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(want, string(src)); diff != "" {
		t.Errorf("go test ./runner/cmd/command -run TestSchemaOfConfig -update writes it anew (-keys +schema):\n%s", diff)
	}
}

// TestSchemaShowsConfigs: the examples of the schema are valid.
func TestSchemaShowsConfigs(t *testing.T) {
	src, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var schema struct{ Examples []json.RawMessage }
	if err := json.Unmarshal(src, &schema); err != nil || len(schema.Examples) == 0 {
		t.Fatalf("%d examples, %v", len(schema.Examples), err)
	}
	for _, example := range schema.Examples {
		if _, err := loaded(t, string(example)); err != nil {
			t.Errorf("the schema shows %s: %v", example, err)
		}
	}
}

// TestKeysAreComplete: each key has a description, and an example.
func TestKeysAreComplete(t *testing.T) {
	var each func(keys []*config.Key)
	each = func(keys []*config.Key) {
		for _, k := range keys {
			lists := k.Path == "without" || k.Path == "packs" // their words are those of the spec
			if k.Doc == "" || k.Kind != config.Section && !lists && k.Shown() == "" {
				t.Errorf("key %s: doc %q, shown %q", k.Path, k.Doc, k.Shown())
			}
			each(k.Keys)
		}
	}
	keys := target.Format{Sections: packs.All().Sections()}.Keys()
	each(keys)
	if fmt.Sprint(requiredOf(keys)) != "[target]" {
		t.Errorf("required are %v", requiredOf(keys))
	}
}
