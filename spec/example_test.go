package spec_test

import (
	"fmt"
	"log"
	"testing/fstest"

	"github.com/streamcert/streamcert/spec"
)

// What a verdict prints about a requirement comes from the book.
func Example() {
	book, problems, err := spec.Load(spec.FS)
	if err != nil {
		log.Fatal(err)
	}
	r, _ := book.Get("helix.resume.header-wins")
	fmt.Println(len(problems), "problems")
	fmt.Println(r.ID, "@"+r.Level.Tag(), r.Capabilities, r.Tier)
	fmt.Println(r.Sentence)
	// Output:
	// 0 problems
	// helix.resume.header-wins @must [resume] scripted
	// A server MUST follow a header that isn't empty when the query differs from it, or answer 400 when the query is no cursor.
}

// A text that breaks the rules is still read; what is wrong with it is returned with its position.
func ExampleLoad() {
	_, problems, err := spec.Load(fstest.MapFS{
		"echo/VERSION":      {Data: []byte("0.1.0\n")},
		"echo/CHANGELOG.md": {Data: []byte("# Changes\n\n## 0.1.0\n")},
		"README.md":         {Data: []byte("[echo](echo/README.md)\n")},
		"echo/README.md":    {Data: []byte("[wire](1-wire.md) [why](rationale.md)\n\n# Capabilities\n\n# Classes\n")},
		"echo/rationale.md": {Data: []byte("# Inventory\n\n| group | rules |\n|---|---|\n| E | 1 |\n")},
		"echo/1-wire.md": {Data: []byte("#### echo.wire.same\n> The answer MUST be what it SHOULD be.\n\n" +
			"`tier: observe` · `origin: E-01`\n\nEchoes repeat.\n")},
	})
	fmt.Println(err)
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// <nil>
	// echo/1-wire.md:2: echo.wire.same: the sentence has 2 RFC 2119 keywords, expected exactly one
}
