package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference/text"
)

func ExampleWords() {
	fmt.Printf("%q", text.Words("Plan the  trip"))
	// Output: ["Plan" " the" "  trip"]
}

func TestPiecesJoin(t *testing.T) {
	for _, whole := range []string{"", " ", "a", " a b ", "a\r\n\r\nb", "👩‍🚀 x", strings.Repeat("é", 40), "\u00a0x\u2028y"} {
		if got := strings.Join(text.Words(whole), ""); got != whole {
			t.Errorf("words of %q join to %q", whole, got)
		}
	}
}
