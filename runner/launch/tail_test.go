package launch

import (
	"fmt"
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	var short tail
	fmt.Fprint(&short, "a\nb")
	if got := short.String(); got != "a\nb" {
		t.Errorf("got %q", got)
	}
	for _, each := range []int{10, mostOutput, 5 * mostOutput} {
		var long tail
		for n := 0; n < 3*mostOutput; n += each {
			fmt.Fprintf(&long, "first\n%s", strings.Repeat("x", each))
		}
		fmt.Fprint(&long, "\nlast\n")
		got := long.String()
		if len(got) > mostOutput+10 || !strings.HasPrefix(got, "…\n") || !strings.HasSuffix(got, "\nlast\n") {
			t.Errorf("%d bytes at a time: %d bytes, from %.20q", each, len(got), got)
		}
	}
}
