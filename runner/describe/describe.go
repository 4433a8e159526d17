package describe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// All returns the documents of every pack of a specification, by path.
func All(specification, shapes fs.FS) (map[string][]byte, error) {
	book, _, err := spec.Load(specification)
	if err != nil {
		return nil, fmt.Errorf("describing the packs: %w", err)
	}
	out := map[string][]byte{}
	for _, pack := range book.Packs() {
		set, err := schemas.Load(shapes, pack)
		if err != nil {
			return nil, fmt.Errorf("describing %s: %w", pack, err)
		}
		files, err := Files(book, set)
		if err != nil {
			return nil, err
		}
		maps.Copy(out, files)
	}
	return out, nil
}

// Files returns the documents of a pack, by path: schemas/<pack>/ has openapi.json, asyncapi.json, examples.json, a bundle for
// each profile, and for each single schema and profile a reference into the bundle.
func Files(book *spec.Book, set *schemas.Set) (map[string][]byte, error) {
	d := description{book: book, set: set, pack: set.Pack()}
	routes := d.routes()
	documents := object{"openapi": d.openAPI(routes), "asyncapi": d.asyncAPI(routes), "examples": examples(set)}
	for _, p := range []schemas.Profile{schemas.Strict, schemas.Lenient} {
		bundle := set.Bundle(p)
		documents[p.String()] = bundle
		folder := ""
		if p == schemas.Lenient {
			folder = p.String() + "/"
		}
		for _, name := range append(set.Names(), schemas.AnyFrame, schemas.AnyChunk) {
			if _, there := bundle["$defs"].(object)[schemas.FlatName(name)]; there {
				at := schemas.Site + "schemas/" + d.pack + "/" + folder + name + ".json"
				documents[folder+name] = object{"$schema": schemas.Dialect, "$id": at, "$ref": bundle["$id"].(string) + "#/$defs/" + schemas.FlatName(name)}
			}
		}
	}
	if len(d.lacking) > 0 {
		return nil, fmt.Errorf("describing %s: %s", d.pack, strings.Join(d.lacking, ", "))
	}
	out := map[string][]byte{}
	for name, document := range documents {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		if err := e.Encode(document); err != nil {
			return nil, fmt.Errorf("describing %s: %s: %w", d.pack, name, err)
		}
		out["schemas/"+d.pack+"/"+name+".json"] = b.Bytes()
	}
	return out, nil
}

// examples lists what the schemas of a set show: which profiles accept it, and the requirement that it breaks.
func examples(set *schemas.Set) []object {
	var out []object
	for _, name := range set.Names() {
		for _, x := range slices.Concat(set.Examples(name), set.Invalid(name)) {
			out = append(out, object{"schema": schemas.FlatName(name), "name": x.Name, "value": x.Value, "strict": x.Requirement == "", "lenient": x.Lenient, "requirement": x.Requirement})
		}
	}
	return out
}

// description collects what describes a pack, and what can't be described.
type description struct {
	book    *spec.Book
	set     *schemas.Set
	pack    string
	lacking []string
}

// object is a JSON object.
type object = map[string]any

// route joins what the specification and the schemas say about a request.
type route struct {
	spec.Route
	has schemas.Route
}

// routes lists the requests of the pack in the order of its index.
func (d *description) routes() []route {
	var out []route
	known := maps.Clone(d.set.Routes())
	for _, r := range d.book.Routes(d.pack) {
		has, ok := known[r.Name]
		if !ok {
			d.lack("the manifest of the schemas has no route %s", r.Name)
		}
		delete(known, r.Name)
		out = append(out, route{r, has})
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		d.lack("the index of the specification has no route %s", name)
	}
	return out
}

// parameters lists the names in braces in the path of a route.
func (r route) parameters() []string {
	var out []string
	for part := range strings.SplitSeq(r.Path, "/") {
		if name, is := strings.CutPrefix(part, "{"); is {
			out = append(out, strings.TrimSuffix(name, "}"))
		}
	}
	return out
}

// streams reports whether a route answers a stream.
func (r route) streams() bool {
	for _, a := range r.has.Answers {
		if a.Body == schemas.Stream {
			return true
		}
	}
	return false
}

func (d *description) lack(format string, args ...any) {
	d.lacking = append(d.lacking, fmt.Sprintf(format, args...))
}

// sentence returns the sentence of a requirement, with its id.
func (d *description) sentence(id string) string {
	q, ok := d.book.Get(id)
	if !ok {
		d.lack("there is no requirement %s", id)
	}
	return q.Sentence + " (" + id + ")"
}

// info describes the pack, as both formats want it.
func (d *description) info(what string) object {
	return object{
		"title": d.pack + ": " + what, "version": d.book.Version(d.pack),
		"description": "Paths are defaults, which a server may have otherwise. Descriptions are sentences of the specification, with the ids of the requirements: " +
			schemas.Site + d.pack + "/index.html",
		"license": object{"name": "Apache 2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
	}
}

const (
	component = "#/components/schemas/"
	opaque    = "An opaque id, percent-encoded as one segment of the path."
)

// reference refers to a schema of the components by its name in the set.
func reference(name string) object {
	return object{"$ref": component + schemas.FlatName(name)}
}

// components returns the strict schemas that routes name, and those that they refer to.
func (d *description) components(names []string) object {
	known := d.set.Names()
	for _, name := range names {
		if _, types := d.set.Union(name); types == nil && !slices.Contains(known, name) {
			d.lack("there is no schema %s", name)
			return nil
		}
	}
	return d.set.Definitions(schemas.Strict, component, names, false)
}
