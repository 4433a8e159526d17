package helixui

import "github.com/streamcert/streamcert/runner/model"

// Breach is a violation that the model found, and Ledger counts its checks.
type (
	Breach = model.Breach
	Ledger = model.Ledger
)

func breach(requirement, want, got, format string, args ...any) *Breach {
	return model.Broken(requirement, want, got, format, args...)
}

// unequal returns the breach by which a value came in place of another.
func unequal(requirement string, want, got any, format string, args ...any) *Breach {
	return model.Unequal(requirement, want, got, format, args...)
}

func clipped(v any) string { return model.Clipped(v) }
