package aep

import (
	"fmt"
	"strings"
)

// Breach is something that the model rules out.
type Breach struct {
	Requirement string // that forbids it
	Message     string // what happened, a sentence without a full stop
	Want, Got   string // for people
}

func (b *Breach) Error() string {
	if b.Want == "" && b.Got == "" {
		return b.Message
	}
	return fmt.Sprintf("%s: want %s, got %s", b.Message, b.Want, b.Got)
}

func breach(requirement, want, got, format string, args ...any) *Breach {
	return &Breach{Requirement: requirement, Message: fmt.Sprintf(format, args...), Want: want, Got: got}
}

// Ledger counts, by requirement, how often something was seen that it speaks of.
type Ledger map[string]int

func (l Ledger) saw(requirement string) { l[requirement]++ }

// clipped is a text for people, at most 200 bytes.
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
