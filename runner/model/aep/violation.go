package aep

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/model"
)

// Violation is a violation that the model found, and OccasionCounts counts its checks.
type (
	Violation      = model.Violation
	OccasionCounts = model.OccasionCounts
)

func violation(requirement, want, got, format string, args ...any) *Violation {
	return model.Violated(requirement, want, got, format, args...)
}

// unequal returns the violation of a value that differs from the expected one.
func unequal(requirement string, want, got any, format string, args ...any) *Violation {
	return model.Unequal(requirement, want, got, format, args...)
}

// clipped returns a text for people, at most 200 bytes.
func clipped(text string) string {
	const most = 200
	if len(text) <= most {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprintf("%q… (%d bytes)", strings.ToValidUTF8(text[:most], ""), len(text))
}

// apart shows two texts where they begin to differ.
func apart(want, got string) (string, string) {
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	from := max(0, at-40)
	show := func(text string) string {
		return fmt.Sprintf("%s at byte %d of %d", clipped(strings.ToValidUTF8(text[min(from, len(text)):min(len(text), at+120)], "")), at, len(text))
	}
	return show(want), show(got)
}

func count(n int) string { return fmt.Sprint(n) }
