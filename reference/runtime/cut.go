package runtime

import "strings"

// Words cuts a text before each space, so that the pieces joined are the text: "Plan the trip" is "Plan", " the", " trip".
func Words(text string) []string {
	var pieces []string
	for text != "" {
		end := len(text)
		if i := strings.IndexByte(text[1:], ' '); i >= 0 {
			end = i + 1
		}
		pieces = append(pieces, text[:end])
		text = text[end:]
	}
	return pieces
}
