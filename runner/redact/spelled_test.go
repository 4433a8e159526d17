package redact_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/streamcert/streamcert/runner/redact"
)

// spelled draws a spelling of a text in an encoding, which escapes some characters.
func spelled(t *rapid.T, text, encoding string) string {
	var b strings.Builder
	escaped := rapid.SliceOfDistinct(rapid.RuneFrom([]rune(text)), rapid.ID).Draw(t, "escaped")
	for _, r := range text {
		escape := slices.Contains(escaped, r)
		switch {
		case encoding == "JSON" && (r == '"' || r == '\\'):
			b.WriteString(`\` + string(r))
		case encoding == "JSON" && escape:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, rapid.SampledFrom([]string{`\u%04x`, `\u%04X`}).Draw(t, "digits"), unit)
			}
		case encoding == "percent" && (escape || r == '%' || r > '~'):
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, rapid.SampledFrom([]string{`%%%02x`, `%%%02X`}).Draw(t, "digits"), c)
			}
		case encoding == "HTML" && (escape || r == '&'):
			fmt.Fprintf(&b, rapid.SampledFrom([]string{"&#%d;", "&#x%x;", "&#x%X;"}).Draw(t, "number"), r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// TestEverySpelling: a secret goes, however an encoder spells each of its characters, and the text around it stays.
func TestEverySpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringOfN(rapid.RuneFrom([]rune(`abcXYZ0189-_.~/=:@"\<>&'é😀`)), 6, 20, -1).Draw(t, "secret")
		encoding := rapid.SampledFrom([]string{"JSON", "percent", "HTML"}).Draw(t, "encoding")
		text := spelled(t, secret, encoding)
		// The last character may be a whole escape of which the first byte alone was taken for the secret's.
		const longestEscape = 12
		got := redact.New(secret).Redact("[before] " + text + " [after]")
		if !strings.HasPrefix(got, "[before] ***") || !strings.HasSuffix(got, " [after]") || len(got) > len("[before] *** [after]")+longestEscape {
			t.Fatalf("%q spelled %s: got %s", secret, text, got)
		}
	})
}
