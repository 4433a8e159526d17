package draw_test

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign/helix/draw"
)

// The same seed and number give the same program.
func ExampleDraw() {
	everything := func(string) bool { return true }
	about := draw.Subjects()[0]
	fmt.Println(draw.Draw(7, 0, about, everything).String() == draw.Draw(7, 0, about, everything).String())
	// Output: true
}
