package shrink

import (
	"maps"
	"slices"
)

// List returns a shorter or simpler program that also fails: operations are left out, halves first, and the remaining ones
// are replaced by simpler ones. simpler returns constructors of the replacements of an operation, the simplest first; it may
// be nil. fails is called at most most times.
func List[O any](program []O, simpler func(O) []func() O, most int, fails func([]O) bool) []O {
	try := func(shorter []O) bool {
		if most <= 0 {
			return false
		}
		most--
		if !fails(shorter) {
			return false
		}
		program = shorter
		return true
	}
	for again := true; again; {
		again = false
		for size := max(1, len(program)/2); size > 0; size /= 2 {
			for at := len(program) - size; at >= 0; {
				if len(program) > 1 && try(slices.Concat(program[:at], program[at+size:])) {
					again = true
				}
				at = min(at, len(program)) - size
			}
		}
		for i := 0; simpler != nil && i < len(program); i++ {
			at := 0 // where the last one that failed as well stood: those before it don't
			for all := simpler(program[i]); at < len(all); {
				replaced := slices.Clone(program)
				if replaced[i] = all[at](); !try(replaced) {
					at++
					continue
				}
				again, all = true, simpler(program[i])
			}
		}
	}
	return program
}

// Made turns a function that returns all replacements of an operation into the argument that [List] takes.
func Made[O any](simpler func(O) []O) func(O) []func() O {
	return func(o O) (out []func() O) {
		for _, other := range simpler(o) {
			out = append(out, func() O { return other })
		}
		return out
	}
}

// Alone returns the operations on one thing each, which becomes the first, where a program has several. on is where an
// operation has the number of its thing, from 0.
func Alone[O any](program []O, on func(*O) *int) (all [][]O) {
	apart := map[int][]O{}
	for _, o := range program {
		i := *on(&o)
		*on(&o) = 0
		apart[i] = append(apart[i], o)
	}
	if len(apart) < 2 {
		return nil
	}
	for _, i := range slices.Sorted(maps.Keys(apart)) {
		all = append(all, apart[i])
	}
	return all
}
