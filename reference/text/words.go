package text

import "unicode"

// Words splits a text before each white space that follows something else. Joined, the pieces are the text; an empty text
// is one empty piece. No character is split: range visits the starts of characters only.
func Words(text string) []string {
	var pieces []string
	begin, space := 0, true
	for i, r := range text {
		if unicode.IsSpace(r) && !space {
			pieces = append(pieces, text[begin:i])
			begin = i
		}
		space = unicode.IsSpace(r)
	}
	return append(pieces, text[begin:])
}
