package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// base is the root of the addresses under which the compiler knows the files, which are their $id. No address is ever fetched.
const base = Site + "schemas/"

const (
	manifestName    = "pack.json"
	tolerantKeyword = "x-lenient"
	invalidKeyword  = "x-invalid"
	examplesKeyword = "examples"
)

func readPack(fsys fs.FS, pack string) (map[string]*file, error) {
	files := map[string]*file{}
	if !fs.ValidPath(pack) || pack == "." {
		return nil, fmt.Errorf("reading schemas: %q is no pack name", pack)
	}
	err := fs.WalkDir(fsys, pack, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".json" || d.Name() == manifestName {
			return err
		}
		return readFile(fsys, name, files)
	})
	if err != nil {
		return nil, fmt.Errorf("reading schemas of pack %s: %w", pack, err)
	}
	return files, nil
}

func readRoot(fsys fs.FS) (map[string]*file, error) {
	files := map[string]*file{}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("reading schemas of the kit: %w", err)
	}
	for _, d := range entries {
		if d.IsDir() || path.Ext(d.Name()) != ".json" {
			continue
		}
		if err := readFile(fsys, d.Name(), files); err != nil {
			return nil, fmt.Errorf("reading schemas of the kit: %w", err)
		}
	}
	return files, nil
}

// mostSchemaValues limits the JSON values of a schema file: the time to compile one grows with their square.
const mostSchemaValues = 20_000

// Values counts the JSON values of a document, decoded.
func Values(document any) int {
	n := 1
	switch document := document.(type) {
	case map[string]any:
		for _, v := range document {
			n += Values(v)
		}
	case []any:
		for _, v := range document {
			n += Values(v)
		}
	}
	return n
}

func readFile(fsys fs.FS, name string, into map[string]*file) error {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	f := &file{path: name}
	if f.doc, err = decodeSchema(name, data); err != nil {
		return err
	}
	if id, has := f.doc.(map[string]any)["$id"]; has && id != base+name {
		return fmt.Errorf("%s: its $id must be %s%s", name, base, name) // the library would accept any document
	}
	if err := f.readExamples(data); err != nil {
		return fmt.Errorf("examples of %s: %w", name, err)
	}
	f.derived = [profiles]any{Strict: f.doc, Lenient: tolerant(f.doc)}
	into[name] = f
	return nil
}

// decodeSchema reads a schema file with the kit's reader, which also refuses a key that is there twice.
func decodeSchema(name string, data []byte) (any, error) {
	d := decode(data, nil)
	if len(d.problems) > 0 {
		return nil, fmt.Errorf("%s: %s", name, d.problems[0].message)
	}
	if _, ok := d.value.(map[string]any); !ok {
		return nil, fmt.Errorf("%s: a schema file must be a JSON object", name)
	}
	if n := Values(d.value); n > mostSchemaValues {
		return nil, fmt.Errorf("%s: a schema file may have %d JSON values, this one has %d", name, mostSchemaValues, n)
	}
	return d.value, nil
}

// readExamples keeps the examples as written: some are invalid on purpose in ways that decoding would hide.
func (f *file) readExamples(data []byte) error {
	var shown struct {
		Examples []json.RawMessage `json:"examples"`
		Invalid  []struct {
			Name        string          `json:"name"`
			Value       json.RawMessage `json:"value"`
			Requirement string          `json:"requirement"`
			Lenient     bool            `json:"lenient"`
		} `json:"x-invalid"`
	}
	if err := json.Unmarshal(data, &shown); err != nil {
		return err
	}
	for i, value := range shown.Examples {
		f.valid = append(f.valid, Example{Name: fmt.Sprintf("example %d", i+1), Value: compact(value), Lenient: true})
	}
	for _, x := range shown.Invalid {
		f.invalid = append(f.invalid, Example{x.Name, compact(x.Value), x.Requirement, x.Lenient})
	}
	return nil
}

// compact takes the schema file's indentation out of an example.
func compact(value json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	if json.Compact(&out, value) != nil {
		return value
	}
	return out.Bytes()
}

// compiler compiles the schemas of one profile.
type compiler struct {
	*jsonschema.Compiler
	budget *Budget // of all schemas that it compiles
}

// newSet compiles files. Unless they are trusted, as those of this build are, validation has a budget.
func newSet(pack string, m manifest, files map[string]*file, trusted bool) (*Set, error) {
	s := &Set{
		pack: pack, manifest: m, files: files,
		entries: map[string]*entry{}, chunks: map[string]*entry{}, frames: map[string]*entry{},
	}
	var compilers [profiles]compiler
	for p := range compilers {
		c, err := newCompiler(Profile(p), files)
		if err != nil {
			return nil, err
		}
		compilers[p].Compiler = c
		if !trusted {
			compilers[p].budget = NewBudget(c)
		}
	}
	for name := range files {
		e, err := newEntry(compilers, name, files)
		if err != nil {
			return nil, err
		}
		s.add(e)
	}
	if pack == "" {
		return s, nil
	}
	var err error
	if s.anyFrame, err = s.unknown(compilers, m.Unknown.Frame); err != nil {
		return nil, err
	}
	if m.Unknown.Chunk != "" {
		if s.anyChunk, err = s.unknown(compilers, m.Unknown.Chunk); err != nil {
			return nil, err
		}
	}
	s.intern()
	return s, nil
}

// add files an entry under its name and, for a chunk or a frame, under its discriminator.
func (s *Set) add(e *entry) {
	name := strings.TrimSuffix(strings.TrimPrefix(e.file.path, s.pack+"/"), ".json")
	if name == "common" {
		return
	}
	e.name = name
	s.entries[name] = e
	switch dir, base := path.Split(name); dir {
	case "chunks/":
		s.chunks[base] = e
	case "frames/":
		s.frames[base] = e
	}
}

// unknown compiles the schema that the manifest names for unknown types of the pack.
func (s *Set) unknown(compilers [profiles]compiler, ref string) (*entry, error) {
	name, fragment, _ := strings.Cut(path.Join(s.pack, ref), "#")
	if _, ok := s.files[name]; !ok {
		return nil, fmt.Errorf("compiling schemas of pack %s: %s names no file", s.pack, ref)
	}
	return newEntry(compilers, name+"#"+fragment, s.files)
}

func newEntry(compilers [profiles]compiler, ref string, files map[string]*file) (*entry, error) {
	name, _, _ := strings.Cut(ref, "#")
	e := &entry{file: files[name], files: files}
	for p, c := range compilers {
		schema, err := c.Compile(base + ref)
		if err != nil {
			return nil, fmt.Errorf("compiling schema %s (%s): %w", ref, Profile(p), err)
		}
		e.schema[p], e.quick[p], e.budget[p] = schema, newQuick(schema), c.budget
	}
	return e, nil
}

// newCompiler is hermetic: it knows the given files, as the profile has them, and refuses every other address.
func newCompiler(p Profile, files map[string]*file) (*jsonschema.Compiler, error) {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.AssertFormat = true
	c.LoadURL = func(url string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("%s is outside the given schemas", url)
	}
	for name, f := range files {
		data, err := json.Marshal(f.derived[p])
		if err != nil {
			return nil, fmt.Errorf("deriving %s (%s): %w", name, p, err)
		}
		if err := c.AddResource(base+name, bytes.NewReader(data)); err != nil {
			return nil, fmt.Errorf("compiling schema %s (%s): %w", name, p, err)
		}
	}
	return c, nil
}

// tolerant applies every x-tolerant patch in the schema and returns the result; the schema itself is not changed.
func tolerant(schema any) any {
	switch v := schema.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, member := range v {
			if key != tolerantKeyword {
				out[key] = tolerant(member)
			}
		}
		if patch, ok := v[tolerantKeyword].(map[string]any); ok {
			return mergePatch(out, patch)
		}
		return out
	case []any:
		out := slices.Clone(v)
		for i := range out {
			out[i] = tolerant(out[i])
		}
		return out
	default:
		return v
	}
}

// mergePatch is RFC 7396: null removes a member, an object is merged, anything else replaces.
func mergePatch(target, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	t, ok := target.(map[string]any)
	if !ok {
		t = map[string]any{}
	}
	for key, value := range p {
		if value == nil {
			delete(t, key)
			continue
		}
		t[key] = mergePatch(t[key], value)
	}
	return t
}

// intern collects the member names that the schemas mention, so that decoding a known name costs no allocation.
func (s *Set) intern() {
	s.interned = map[string]string{}
	for _, f := range s.files {
		walk(f.doc, "", func(_ string, object map[string]any) {
			properties, _ := object["properties"].(map[string]any)
			for name := range properties {
				s.interned[name] = name
			}
		})
	}
	for _, types := range []map[string]*entry{s.chunks, s.frames} {
		for name := range types {
			s.interned[name] = name
		}
	}
}
