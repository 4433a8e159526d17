package helixui

import "github.com/streamcert/streamcert/runner/model"

// Violation is a violation that the model found, and OccasionCounts counts its checks.
type (
	Violation      = model.Violation
	OccasionCounts = model.OccasionCounts
)

func violated(requirement, want, got, format string, args ...any) *Violation {
	return model.Violated(requirement, want, got, format, args...)
}

// unequal returns the violation of a value that differs from the expected one.
func unequal(requirement string, want, got any, format string, args ...any) *Violation {
	return model.Unequal(requirement, want, got, format, args...)
}

func clipped(v any) string { return model.Clipped(v) }
