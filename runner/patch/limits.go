package patch

import (
	"cmp"
	"fmt"
)

// Limits bound a document and the effects of patches. Zero means the default.
type Limits struct {
	Bytes      int64 // of the document as JSON; 16 MiB by default
	Values     int64 // in the document, containers counted; 500,000 by default
	Depth      int   // levels of nesting; 1,000 by default
	Operations int   // of one patch; 100,000 by default
	// Budget is the work that the patches may cause. Documents of one origin share
	// one; nil means one for the document alone.
	Budget *Budget
}

// Budget is an amount of work: about one unit for each byte that is copied or compared, and 32 for each value. The work of
// a patch is subtracted from it, and the length of the patch adds a part back. It isn't safe for concurrent use.
type Budget struct{ left, most int64 }

// mostWork is the budget of a document that shares none; it lasts some seconds.
const mostWork = 1 << 30

// NewBudget returns a budget of that many units; 0 means 1<<30, which lasts some
// seconds.
func NewBudget(units int64) *Budget {
	units = cmp.Or(units, mostWork)
	return &Budget{units, units}
}

// earned is the work that one byte of a patch pays for.
const earned = 64

// valueWork is the cost of visiting one value.
const valueWork = 32

// withDefaults fills in the limits that are zero.
func (l Limits) withDefaults() Limits {
	if l.Bytes == 0 {
		l.Bytes = 16 << 20
	}
	if l.Values == 0 {
		l.Values = 500_000
	}
	if l.Depth == 0 {
		l.Depth = 1000
	}
	if l.Operations == 0 {
		l.Operations = 100_000
	}
	if l.Budget == nil {
		l.Budget = NewBudget(0)
	}
	return l
}

// LimitError states which limit a document or a patch goes beyond.
type LimitError struct {
	Of    string // the limited quantity, with its unit
	Limit int64
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("more than %d %s", e.Limit, e.Of)
}

// ConflictError explains why an operation doesn't fit the document.
type ConflictError struct {
	Operation int // its index in the patch
	Reason    string
}

// Error implements error.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("operation %d can't be applied: %s", e.Operation, e.Reason)
}

// SyntaxError explains why a text is no patch, or no JSON.
type SyntaxError struct{ Reason string }

// Error implements error.
func (e *SyntaxError) Error() string { return e.Reason }

// syntax returns a SyntaxError with a reason.
func syntax(format string, args ...any) error { return &SyntaxError{fmt.Sprintf(format, args...)} }

// spend takes from the work that is left.
func (b *Budget) spend(units int64) error {
	if b.left -= units; b.left < 0 {
		b.left = 0
		return &LimitError{"units of work in a row of patches", b.most}
	}
	return nil
}

// earn adds the work that the length of a patch pays for.
func (b *Budget) earn(length int64) { b.left = min(b.left+earned*length, b.most) }
