package excerpt_test

import (
	"fmt"
	"testing/fstest"

	"github.com/streamcert/streamcert/runner/excerpt"
)

// A marker without text is filled from its golden.
func ExampleUpdate() {
	goldens := fstest.MapFS{"toy/echo/calling.txt": {Data: []byte("# toy.echo.same · Calling\n== somebody calls\n> GET /a\n< 204\n")}}
	text, problems := excerpt.Update(goldens, "<!-- wire: golden/toy/echo/calling.txt § Calling -->\n<!-- /wire -->\n")
	fmt.Println(problems)
	fmt.Print(text)
	// Output:
	// [{1 the block differs from the golden: run `make golden`}]
	// <!-- wire: golden/toy/echo/calling.txt § Calling -->
	// ```http
	// == somebody calls
	// > GET /a
	// < 204
	// ```
	// <!-- /wire -->
}
