package helix

import "fmt"

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

// saw counts an occasion of a requirement.
func (l Ledger) saw(requirement string) { l[requirement]++ }

// clipped is a text for people, at most 200 bytes.
func clipped(text []byte) string {
	const most = 200
	if len(text) <= most {
		return string(text)
	}
	return string(text[:most]) + fmt.Sprintf("… (%d bytes)", len(text))
}
