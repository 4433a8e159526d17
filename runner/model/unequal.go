package model

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Unequal returns the violation of a value that differs from the expected one. Both are shown as [Clipped] shows them;
// where they are longer and begin alike, both are shown from shortly before the byte at which they begin to differ.
func Unequal(requirement string, want, got any, format string, args ...any) *Violation {
	w, g := apart(jsonText(want), jsonText(got))
	return Violated(requirement, w, g, format, args...)
}

// apart returns the parts of two texts around their first difference, at most about 200 bytes of each.
func apart(want, got string) (string, string) {
	const most, before = 200, 40
	if len(want) <= most && len(got) <= most {
		return want, got
	}
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	from := 0
	if at > most-before {
		from = at - before
		for from > 0 && !utf8.RuneStart(want[from]) {
			from--
		}
	}
	show := func(text string) string {
		shown := strings.ToValidUTF8(text[min(from, len(text)):min(from+most, len(text))], "")
		if from > 0 {
			return fmt.Sprintf("…%s… (from byte %d of %d)", shown, from, len(text))
		}
		if len(text) <= most {
			return text
		}
		return fmt.Sprintf("%s… (%d bytes)", shown, len(text))
	}
	return show(want), show(got)
}
