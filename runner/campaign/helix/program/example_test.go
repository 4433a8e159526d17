package program_test

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// A parsed program writes the same text.
func ExampleParse() {
	p, err := program.Parse("1 stream\nwriter 1 writes 2 chunks of mixed steps, plain data of 20 bytes\nreader 1 attaches")
	fmt.Println(p)
	fmt.Println(err)
	// Output:
	// 1 stream
	// writer 1 writes 2 chunks of mixed steps, plain data of 20 bytes
	// reader 1 attaches
	// <nil>
}
