package runtime

import "strings"

// Words cuts a text before each space, so that the pieces joined are the text: "Plan the trip" is "Plan", " the", " trip".
func Words(text string) []string {
	var pieces []string
	// helix.text.empty-delta: an empty text gives no piece.
	for text != "" {
		end := len(text)
		// helix.text.whole-characters: a space is one byte and never part of another character.
		if i := strings.IndexByte(text[1:], ' '); i >= 0 {
			end = i + 1
		}
		pieces = append(pieces, text[:end])
		text = text[end:]
	}
	return pieces
}
