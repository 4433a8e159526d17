package campaign

import "slices"

// Effort selects how many programs of campaigns a run plays.
type Effort string

// The efforts. The zero value is Quick.
const (
	Quick    Effort = "quick"    // none
	Standard Effort = "standard" // about as long as the scenarios take
	Thorough Effort = "thorough" // minutes
)

// Efforts returns the names of all efforts, the least first.
func Efforts() []string { return []string{string(Quick), string(Standard), string(Thorough)} }

// Known reports whether it is one of the efforts.
func (e Effort) Known() bool { return slices.Contains(Efforts(), string(e)) }

// Plays reports whether campaigns are played at all.
func (e Effort) Plays() bool { return e == Standard || e == Thorough }

// Of scales a number of programs at standard effort.
func (e Effort) Of(standard int) int {
	switch e {
	case Standard:
		return standard
	case Thorough:
		return 50 * standard
	}
	return 0
}
