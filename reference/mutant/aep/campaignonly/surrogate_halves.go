package campaignonly

import (
	"encoding/json"
	"strings"
	"unicode/utf16"

	"github.com/streamcert/streamcert/reference/aep/agent"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// halves lists mutants that truncate values other than texts after so many units of UTF-16, and so within characters.
func halves() []edit.Mutant {
	return []edit.Mutant{
		{Name: "thoughts-are-cut-within-characters", Requirement: "aep.content.whole-characters",
			Summary: "A piece of a thought ends after 16 units of UTF-16, and half a character is sent as U+FFFD.",
			Apply:   on.Pieces(agent.Thinking, func(piece string) string { return halved(piece, 16) })},
		{Name: "arguments-are-cut-within-characters", Requirement: "aep.tools.arguments",
			Summary: "Arguments come in pieces of 1,000 units of UTF-16, and half a character is sent as U+FFFD.",
			Apply: onCallArguments(func(arguments json.RawMessage) json.RawMessage {
				return json.RawMessage(halved(string(arguments), 1000))
			})},
	}
}

// halved returns a text of pieces of so many units of UTF-16, each encoded apart.
func halved(text string, units int) string {
	var all strings.Builder
	for rest := utf16.Encode([]rune(text)); len(rest) > 0; {
		n := min(units, len(rest))
		all.WriteString(string(utf16.Decode(rest[:n])))
		rest = rest[n:]
	}
	return all.String()
}
