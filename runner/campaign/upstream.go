package campaign

import (
	"cmp"
	"fmt"
	"slices"
)

// Upstream is a program in which a model may write its events in other ways than models usually do.
type Upstream[P any] interface {
	// Spellings lists those ways, such as "lines that end in CRLF".
	Spellings() []string
	// SpelledIn is the same program, in which only these of its ways stay.
	SpelledIn(ways ...string) P
	// RuleOf is the requirement that a server violates which can't read a way, "" if there is none.
	RuleOf(way string) string
}

// Attributed returns a failure of a server that can't read a spelling of its model's events, by the rule and in the words
// of that spelling: its program passes where the model writes as models usually do. Every other failure is returned as it
// is.
func Attributed[P any](f *Failure[P], again func(P) *Failure[P]) *Failure[P] {
	p, ok := any(f.Program).(Upstream[P])
	if !ok {
		return f
	}
	ways := p.Spellings()
	if len(ways) == 0 || again(p.SpelledIn()) != nil {
		return f
	}
	of := slices.IndexFunc(ways, func(way string) bool { return len(ways) == 1 || again(p.SpelledIn(way)) != nil })
	if of < 0 { // it takes several of them
		return f
	}
	out := *f
	out.Requirement = cmp.Or(p.RuleOf(ways[of]), f.Requirement)
	out.Message = fmt.Sprintf("%s where the model writes its events with %s; written as models usually do, the same history passes", f.Message, ways[of])
	return &out
}
