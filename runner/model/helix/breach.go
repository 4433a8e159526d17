package helix

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/model"
)

// Breach is something that the model rules out, and Ledger what it has looked at.
type (
	Breach = model.Breach
	Ledger = model.Ledger
)

func violation(requirement, want, got, format string, args ...any) *Breach {
	return model.Broken(requirement, want, got, format, args...)
}

// unequal is the breach by which a value came in place of another.
func unequal(requirement string, want, got any, format string, args ...any) *Breach {
	return model.Unequal(requirement, want, got, format, args...)
}

// quoted is what an agent said, for people, who see so where it is empty or ends with white space.
func quoted(said string) string { return model.Clipped(said) }

// clipped is a text for people, at most 200 bytes.
func clipped(text []byte) string {
	const most = 200
	if len(text) <= most {
		return string(text)
	}
	return string(text[:most]) + fmt.Sprintf("… (%d bytes)", len(text))
}
