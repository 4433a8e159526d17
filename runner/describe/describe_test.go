package describe

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// described returns the documents of every pack of this build.
func described(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := All(spec.FS, schemas.FS)
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	return files
}

// references lists the values of "$ref" in a document, and the keywords of the kit.
func references(value any, visit func(keyword, ref string)) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			references(one, visit)
		}
	case map[string]any:
		for keyword, member := range v {
			if ref, is := member.(string); is && keyword == "$ref" || strings.HasPrefix(keyword, "x-") {
				visit(keyword, ref)
			}
			references(member, visit)
		}
	}
}

// TestFiles: the descriptions refer to their components alone, and have nothing of the control binding.
func TestFiles(t *testing.T) {
	for name, text := range described(t) {
		if !strings.HasSuffix(name, "api.json") {
			continue
		}
		var doc map[string]any
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		references(doc, func(keyword, ref string) {
			var at any = doc
			for token := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
				object, _ := at.(map[string]any)
				at = object[token]
			}
			if keyword != "$ref" || at == nil {
				t.Errorf("%s: %s %s leads nowhere", name, keyword, ref)
			}
		})
		if strings.Contains(string(text), `"/control/`) || strings.Contains(string(text), `"conformance"`) {
			t.Errorf("%s has members or routes of the control binding", name)
		}
	}
}

// example loads the pack that is the example of a pack, with a change in the manifest of its schemas.
func example(t *testing.T, old, new string) (*spec.Book, *schemas.Set) {
	t.Helper()
	book, _, err := spec.Load(os.DirFS("../packs/testdata/spec"))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, name := range []string{"pack", "common", "frames/lit", "frames/flash", "frames/dark"} {
		text, err := os.ReadFile("../packs/testdata/schemas/beacon/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(text), old, new, 1)
		if name == "pack" && old != new && changed == string(text) {
			t.Fatalf("the manifest has no %s", old)
		}
		files["beacon/"+name+".json"] = &fstest.MapFile{Data: []byte(changed)}
	}
	set, err := schemas.Load(files, "beacon")
	if err != nil {
		t.Fatal(err)
	}
	return book, set
}

func TestExample(t *testing.T) {
	book, set := example(t, "", "")
	files, err := Files(book, set)
	if err != nil {
		t.Fatal(err)
	}
	var open struct {
		Paths map[string]map[string]struct {
			OperationID string
			Responses   map[string]struct{ Description string }
		}
	}
	if err := json.Unmarshal(files["schemas/beacon/openapi.json"], &open); err != nil {
		t.Fatal(err)
	}
	watch := open.Paths["/lamps/{lamp}/watch"]["post"]
	if q, _ := book.Get("beacon.wire.content-type"); watch.OperationID != "watch" || watch.Responses["200"].Description != q.Sentence+" ("+q.ID+")" {
		t.Errorf("the route is described as %+v", watch)
	}
	var async struct {
		Channels map[string]struct {
			Address  string
			Messages map[string]any
		}
	}
	if err := json.Unmarshal(files["schemas/beacon/asyncapi.json"], &async); err != nil {
		t.Fatal(err)
	}
	var messages []string
	for name := range async.Channels["watch"].Messages {
		messages = append(messages, name)
	}
	slices.Sort(messages)
	if diff := cmp.Diff([]string{"dark", "flash", "lit"}, messages); diff != "" || async.Channels["watch"].Address != "/lamps/{lamp}/watch" {
		t.Errorf("the stream is described as %+v (-want +got):\n%s", async.Channels, diff)
	}
}

// TestLacking: a fact that specification and schemas don't share is named.
func TestLacking(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"watch"`, `"listen"`, "the manifest of the schemas has no route watch, the index of the specification has no route listen"},
		{`"beacon.wire.content-type"`, `"beacon.wire.nothing"`, "there is no requirement beacon.wire.nothing"},
		{`"body": "stream"`, `"body": "frames/blue"`, "there is no schema frames/blue"},
	} {
		_, err := Files(example(t, c.old, c.new))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.new, err, c.want)
		}
	}
}
