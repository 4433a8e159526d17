package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// Violation is behaviour that no transition of a model explains.
type Violation struct {
	Requirement string // that forbids it
	Message     string // a sentence without a full stop
	Want, Got   string // for people
}

func (b *Violation) Error() string {
	if b.Want == "" && b.Got == "" {
		return b.Message
	}
	return fmt.Sprintf("%s: want %s, got %s", b.Message, b.Want, b.Got)
}

// Violated returns the violation of a requirement; its message is formatted as by [fmt.Sprintf].
func Violated(requirement, want, got, format string, args ...any) *Violation {
	return &Violation{Requirement: requirement, Message: fmt.Sprintf(format, args...), Want: want, Got: got}
}

// OccasionCounts counts, by requirement, how often a history had an occasion of it.
type OccasionCounts map[string]int

// Saw counts once for each requirement.
func (l OccasionCounts) Saw(requirements ...string) {
	for _, id := range requirements {
		l[id]++
	}
}

// nothing replaces a value that didn't come.
const nothing = "nothing"

// Clipped returns a value for people, at most about 200 bytes of its JSON.
func Clipped(v any) string {
	const most = 200
	text := jsonText(v)
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:most], ""), len(text))
}

// jsonText returns the JSON of a value; bytes are such already, and none are nothing.
func jsonText(v any) string {
	switch raw := v.(type) {
	case []byte:
		return cmp.Or(string(raw), nothing)
	case json.RawMessage:
		return cmp.Or(string(raw), nothing)
	}
	text, err := json.Marshal(v)
	if err != nil { // values come from JSON
		return fmt.Sprint(v)
	}
	return string(text)
}
