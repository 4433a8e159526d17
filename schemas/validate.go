package schemas

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Frame checks the data of one event: the frame by its type and, if it carries a chunk, that chunk by the type of the chunk. Findings
// about the chunk point below /chunk. A frame of an unknown type is checked only by the rules for every frame.
func (s *Set) Frame(p Profile, data []byte) Result { return s.frame(p, "", data, true) }

// Event checks the data of one event as Frame does. In a pack whose types are in the event field, name is the type.
func (s *Set) Event(p Profile, name string, data []byte) Result { return s.frame(p, name, data, true) }

// Envelope checks a frame as Frame does, but leaves the content of the chunk in it alone.
func (s *Set) Envelope(p Profile, data []byte) Result { return s.frame(p, "", data, false) }

func (s *Set) frame(p Profile, name string, data []byte, whole bool) Result {
	d := decode(data, s.interned)
	r := Result{Value: d.value}
	object, _ := d.value.(map[string]any)
	r.Type = s.discriminator(object)
	if s.manifest.EventName {
		r.Type = name
	}
	e, known := s.frames[r.Type]
	r.Known = known
	if !known {
		e = s.anyFrame
	}
	if !d.broken && e != nil {
		r.Findings = e.validate(p, d.value, "")
	}
	nested := s.manifest.Nested
	inside := "/" + nested.Member
	if chunk, carried := object[nested.Member]; carried && nested.Member != "" && r.Type == nested.Frame {
		members, _ := chunk.(map[string]any)
		r.ChunkType = s.discriminator(members)
		_, r.ChunkKnown = s.chunks[r.ChunkType]
		if whole {
			r.Findings = append(r.Findings, s.checkChunk(p, chunk, inside)...)
		}
	}
	r.Findings = s.withProblems(d, r.Findings, func(pointer string) area {
		a := s.manifest.Requirements.Frame
		if nested.Member != "" && strings.HasPrefix(pointer, inside+"/") {
			// Data that can't be read to its end breaks the frame's requirements at any position.
			a.Duplicate, a.Number, a.UTF8 = s.manifest.Requirements.Chunk.Duplicate, s.manifest.Requirements.Chunk.Number, s.manifest.Requirements.Chunk.UTF8
		}
		return a
	})
	return r
}

// Chunk checks a bare chunk by its type. A chunk of an unknown type is checked only by the rules for every chunk.
func (s *Set) Chunk(p Profile, data []byte) Result {
	d := decode(data, s.interned)
	r := Result{Value: d.value}
	object, _ := d.value.(map[string]any)
	r.Type = s.discriminator(object)
	_, r.Known = s.chunks[r.Type]
	r.ChunkType, r.ChunkKnown = r.Type, r.Known
	if !d.broken {
		r.Findings = s.checkChunk(p, d.value, "")
	}
	r.Findings = s.withProblems(d, r.Findings, func(string) area { return s.manifest.Requirements.Chunk })
	return r
}

// Document checks a document against the schema of that name, as Names lists them. A name that the set doesn't
// have is itself a finding.
func (s *Set) Document(name string, p Profile, data []byte) Result {
	e, known := s.entries[name]
	if !known {
		return Result{Findings: []Finding{{Message: fmt.Sprintf("there is no schema named %q", name)}}}
	}
	d := decode(data, s.interned)
	r := Result{Known: true, Value: d.value}
	object, _ := d.value.(map[string]any)
	r.Type = s.discriminator(object)
	if !d.broken {
		r.Findings = e.validate(p, d.value, "")
	}
	root, _ := e.file.doc.(map[string]any)
	id, _ := requirementOf(root)
	r.Findings = s.withProblems(d, r.Findings, func(string) area { return area{id, id, id, id} })
	return r
}

func (s *Set) discriminator(object map[string]any) string {
	value, _ := object[s.manifest.Discriminator].(string)
	return value
}

func (s *Set) checkChunk(p Profile, chunk any, prefix string) []Finding {
	object, _ := chunk.(map[string]any)
	if e, known := s.chunks[s.discriminator(object)]; known {
		return e.validate(p, chunk, prefix)
	}
	if s.anyChunk == nil {
		return nil
	}
	// A type that is unknown here may be known to the server; only the rules for every reader apply to it.
	return s.anyChunk.validate(Lenient, chunk, prefix)
}

// withProblems inserts findings about invalid JSON before those about its content.
func (s *Set) withProblems(d *decoder, findings []Finding, at func(pointer string) area) []Finding {
	if len(d.problems) == 0 {
		return findings
	}
	var out []Finding
	for _, p := range d.problems {
		a := at(p.pointer)
		f := Finding{Message: p.message, Instance: p.pointer}
		switch p.kind {
		case syntax:
			f.Requirement = a.Syntax
		case duplicate:
			f.Requirement = a.Duplicate
		case badUTF8:
			f.Requirement = a.UTF8
		case number:
			f.Requirement = a.Number
		}
		if p.pointer != "" {
			f.Message = named(p.pointer) + ": " + p.message
		}
		if p.kind != number || !covered(f, findings) {
			out = append(out, f)
		}
	}
	return append(out, findings...)
}

// covered is true if the schema has already objected to the same value: an absurd number out of bounds is one
// fault, not two.
func covered(f Finding, findings []Finding) bool {
	return slices.ContainsFunc(findings, func(g Finding) bool { return g.Instance == f.Instance })
}

// validate returns the findings of the schema, in a fixed order. Instances are prefixed.
func (e *entry) validate(p Profile, value any, prefix string) []Finding {
	return e.validateLong(p, value, prefix, longList)
}

// validateLong is validate that takes lists of more than so many items for long.
func (e *entry) validateLong(p Profile, value any, prefix string, longest int) []Finding {
	if e.quickly(p, e.quick[p], value) {
		return nil
	}
	s := shortener{entry: e, profile: p, longest: longest}
	short := value
	if shorter, is := s.shorten(value, e.quick[p].constraints(nil, false), ""); is {
		short = shorter
	}
	if err := e.byLibrary(p, e.schema[p], short, ""); err != nil {
		s.errs = append(s.errs, err)
	}
	var findings []Finding
	for _, err := range s.errs {
		var invalid *jsonschema.ValidationError
		if !errors.As(err, &invalid) {
			return []Finding{{nearest(e.file.doc, ""), err.Error(), prefix, e.file.path}}
		}
		for _, leaf := range leaves(invalid) {
			findings = append(findings, e.explain(leaf, p, value, prefix)...)
		}
	}
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(findings)
}

// quickly reports whether the quick check of a node accepts a value.
func (e *entry) quickly(p Profile, n *node, value any) bool {
	left := math.MaxInt
	if e.budget[p] != nil {
		left = Applications(value)
	}
	return n.check(value, &left) == yes
}

// byLibrary validates with the library, within the budget of a set that isn't of this build.
func (e *entry) byLibrary(p Profile, schema *jsonschema.Schema, value any, pointer string) (err error) {
	if e.budget[p] == nil {
		return validateWithLibrary(schema, value, pointer)
	}
	if spent := e.budget[p].Spend(Applications(value), func() { err = validateWithLibrary(schema, value, pointer) }); spent != nil {
		return spent
	}
	return err
}

// validateWithLibrary validates a value that is at a pointer of a document, as the library writes it. It survives a panic of the
// validator: a document must never stop a run.
func validateWithLibrary(schema *jsonschema.Schema, value any, pointer string) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *BudgetError:
			panic(r)
		default:
			err = fmt.Errorf("the document can't be checked: %v", r)
		}
	}()
	var invalid *jsonschema.ValidationError
	if err = schema.Validate(value); errors.As(err, &invalid) {
		for _, leaf := range leaves(invalid) {
			leaf.InstanceLocation = pointer + leaf.InstanceLocation
		}
	}
	return err
}

// leaves returns the errors that have no cause; the remainder only say that something below them failed.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var out []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		out = append(out, leaves(cause)...)
	}
	return out
}

// unescapeLocation undoes the percent-escapes that the library puts into its pointers.
func unescapeLocation(location string) string {
	if plain, err := url.PathUnescape(location); err == nil {
		return plain
	}
	return location
}
