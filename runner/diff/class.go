package diff

import (
	"slices"

	"github.com/streamcert/streamcert/spec"
)

// Class describes whom a change breaks.
type Class string

// The classes, the mildest first.
const (
	None          Class = ""
	Editorial     Class = "editorial"            // no verdict changes, except by more thorough tests
	Additive      Class = "additive"             // correct servers and readers stay correct
	Withdrawn     Class = "withdrawn"            // a requirement is removed
	BreaksServers Class = "breaking for servers" // a server that was right may be wrong now
	BreaksReaders Class = "breaking for readers" // a correct reader may receive data that it can't read
)

// Classes lists the classes that a change can have, the mildest first.
func Classes() []Class {
	return []Class{Editorial, Additive, Withdrawn, BreaksServers, BreaksReaders}
}

// Breaking reports whether a correct server or reader may be wrong now.
func (c Class) Breaking() bool { return c == BreaksServers || c == BreaksReaders }

// rank orders classes; None is 0.
func (c Class) rank() int { return slices.Index(Classes(), c) + 1 }

// worst returns the class of several changes.
func worst(classes ...Class) Class {
	out := None
	for _, c := range classes {
		if c.rank() > out.rank() {
			out = c
		}
	}
	return out
}

// effect describes how a change of a rule affects those whom it binds.
type effect int

const (
	same     effect = iota // the demand is the same
	relaxed                // the demand is weaker
	stricter               // the demand is stronger
	unclear                // the demand is another one, or the effect is unknown
)

// on returns the class of an effect on a requirement: a stronger SHOULD warns and breaks nothing, and a weaker MAY forbids
// an allowed behaviour.
func (e effect) on(level spec.Level, role string) Class {
	switch {
	case e == same:
		return Editorial
	case e == relaxed:
		return Additive
	case level.Advisory():
		return Additive
	case level == spec.May && e == unclear:
		return Additive
	}
	return breaks(role)
}

// breaks returns the class of a requirement that binds a role more than before. The adapter of the control binding is part
// of a server.
func breaks(role string) Class {
	if role == spec.RoleReader {
		return BreaksReaders
	}
	return BreaksServers
}
