package judge

import (
	"fmt"
	"strconv"
)

// The rules of protocols often have one of four forms: a value equals an earlier one, numbers ascend, a name is used once,
// and every beginning has an end. A template counts the occasion and finds the violation. It builds texts only for a
// violation.

// Same checks that a word is the same as one that came before it, where both are
// there. It reports whether it is.
func (b *Base) Same(id string, at Position, message string, want, got Word) bool {
	if !want.OK || !got.OK {
		return true
	}
	b.Saw(id)
	if want.Hash == got.Hash {
		return true
	}
	b.Violation(id, at, message, want.Shown(), got.Shown())
	return false
}

// SameText is Same for texts that are stored completely, if neither is empty.
func (b *Base) SameText(id string, at Position, message, want, got string) bool {
	if want == "" || got == "" {
		return true
	}
	b.Saw(id)
	if want == got {
		return true
	}
	b.Violation(id, at, message, Show(want), Show(got))
	return false
}

// SameNumber is Same of numbers.
func (b *Base) SameNumber(id string, at Position, message string, want, got Number) bool {
	if !want.OK || !got.OK {
		return true
	}
	b.Saw(id)
	if want.N == got.N {
		return true
	}
	b.Violation(id, at, message, strconv.FormatInt(want.N, 10), strconv.FormatInt(got.N, 10))
	return false
}

// SameValue is Same of JSON values, by their digests; want and got are shown as
// they are.
func (b *Base) SameValue(id string, at Position, message string, same bool, want string, got any) bool {
	b.Saw(id)
	if !same {
		b.Violation(id, at, message, want, Show(got))
	}
	return same
}

// Order is the required relation of a number to the one before.
type Order struct {
	Message string // of a violation
	Want    string // the expected value, with %d for the number before
	Equal   bool   // the same number again is in order
}

// Ascends checks that a number lies above one before it, if there is one. It
// reports whether it does.
func (b *Base) Ascends(id string, at Position, o Order, before Number, now int64) bool {
	if !before.OK {
		return true
	}
	b.Saw(id)
	if now > before.N || o.Equal && now == before.N {
		return true
	}
	b.Violation(id, at, o.Message, fmt.Sprintf(o.Want, before.N), strconv.FormatInt(now, 10))
	return false
}

// Unique checks that a name, of that key, isn't used again. It is used from then
// on. Unique reports whether it was free.
func (b *Base) Unique(id string, at Position, names *Seen, key uint64, message, want string, got func() string) bool {
	b.Saw(id)
	free := !names.Now(key)
	if !free {
		b.Violation(id, at, message, want, got())
	}
	names.Add(key)
	return free
}

// Brackets describes the rule of a start and an end: the requirements that a violation breaks, and the texts of the
// findings.
type Brackets struct {
	Paired, Once, Closed string // ids: an end has a start before it, is the only one, and comes
	Start, End           string // the names of the two events
	NeverBegan, Twice    string // messages
	LeftOpen             string // message
	Missing              string // the expected event if one is left open, with %s for its name
	Open                 string // the received state, with %d for the number of open things
}

// Unopened judges an end of something that isn't open. again reports that it has ended
// before, never that it surely never began.
func (b *Base) Unopened(p Brackets, at Position, again, never bool, name string) {
	switch {
	case again:
		b.Saw(p.Once)
		b.Violation(p.Once, at, p.Twice, "one "+p.End, "another for "+Show(name))
	case never:
		b.Saw(p.Paired)
		b.Violation(p.Paired, at, p.NeverBegan, "a "+p.Start+" before it", "none for "+Show(name))
	}
}

// AllClosed checks that nothing is open at the end. had reports that something was closed before, n is the number of open
// things, and name returns the name of the oldest.
func (b *Base) AllClosed(p Brackets, at Position, had bool, n int, name func() string) {
	if had || n > 0 {
		b.Saw(p.Closed)
	}
	if n > 0 {
		b.Violation(p.Closed, at, p.LeftOpen, fmt.Sprintf(p.Missing, Show(name())), fmt.Sprintf(p.Open, n))
	}
}
