package judge

import (
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// Position locates a finding: in a block of the body, or nowhere, which is the zero
// value.
type Position struct {
	frame  int   // index of the block among those of the body
	offset int64 // in bytes from the start of the body
	line   int   // from 1
	set    bool  // false in the zero value, which is nowhere
}

// At returns the position of a block.
func At(f *wire.Frame) Position { return Position{f.Index, f.Offset, f.Line, true} }

// Base is the common part of the machines of all packs. It collects the findings of one call, counts the occasions of a
// complete response, and checks the rules on the bytes of every body. A machine embeds it. Methods take requirements by their
// ids.
type Base struct {
	Options Options          // never change once the first block is read
	wire    Wire             // ids of the pack's requirements; "" for one that it doesn't have
	found   []record.Finding // since the last Begin
	seen    occasions        // a requirement with a finding has at least one, by Witness

	first   bool     // a block was read
	several bool     // the block contains several events without a blank line between them
	open    Position // the block in which the body ended
	unknown int      // frames of a type that isn't known
}

// NewBase makes the base of one machine.
func NewBase(o Options, w Wire) Base { return Base{Options: o, wire: w} }

// Begin forgets the findings of the call before.
func (b *Base) Begin() { b.found = nil }

// Found returns the findings since Begin.
func (b *Base) Found() []record.Finding { return b.found }

// Occasions implements Machine.
func (b *Base) Occasions() map[string]int { return b.seen.byID() }

// Unknown implements Machine.
func (b *Base) Unknown() int { return b.unknown }

// MeetUnknown counts a frame whose type the pack doesn't know.
func (b *Base) MeetUnknown() { b.unknown++ }

// Saw counts an occasion, which is one check of a requirement. id is "" in a pack without the requirement.
func (b *Base) Saw(id string) {
	if id != "" {
		b.seen.add(id)
	}
}

// Violation finds a requirement broken; "" is none.
func (b *Base) Violation(id string, at Position, message, want, got string) {
	if id == "" {
		return
	}
	b.find(record.Finding{Requirement: id, Message: message, Want: want, Got: got}, at)
}

// Schema adds the findings of the schemas for the data at a position.
func (b *Base) Schema(at Position, found ...schemas.Finding) {
	for _, s := range found {
		b.find(record.Finding{Requirement: s.Requirement, Message: s.Message, Instance: s.Instance, Schema: s.Schema}, at)
	}
}

func (b *Base) find(f record.Finding, at Position) {
	f.Frame, f.Offset = -1, -1
	if at.set {
		f.Frame, f.Offset, f.Line = at.frame, at.offset, at.line
	}
	b.found = append(b.found, f)
}

// Witness makes sure that every finding has an occasion: optional members are counted only where they are required.
func (b *Base) Witness() {
	for _, f := range b.found {
		b.seen.witness(f.Requirement)
	}
}

// Document checks a complete answer against a schema.
func (b *Base) Document(schema string, body []byte) schemas.Result {
	res := b.Options.Schemas.Document(schema, schemas.Strict, body)
	b.Schema(Position{}, res.Findings...)
	return res
}

// Verdict is the result of checking a frame's data against the schemas. It depends on the data alone.
type Verdict struct {
	schemas.Result
	Object map[string]any // the data, if it is an object
	Broken bool           // the data isn't JSON
}

// VerdictOf completes a result of the schemas.
func VerdictOf(r schemas.Result) Verdict {
	v := Verdict{Result: r}
	v.Object, _ = r.Value.(map[string]any)
	for i := range r.Findings {
		// JSON that can't be read is the only thing that no keyword finds in no value.
		v.Broken = v.Broken || r.Value == nil && r.Findings[i].Schema == ""
	}
	return v
}
