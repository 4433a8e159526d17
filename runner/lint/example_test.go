package lint_test

import (
	"fmt"
	"os"
	"testing/fstest"

	"github.com/streamcert/streamcert/runner/lint"
)

// A working copy that lacks its folders is a list of problems.
func ExampleRun() {
	empty := fstest.MapFS{}
	r := lint.Run(lint.Input{Spec: empty, Schemas: fstest.MapFS{".keep": {}}, Features: empty, Golden: fstest.MapFS{".keep": {}},
		Packs: []lint.Pack{{Name: "helix"}}})
	if err := r.WriteConsole(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// features/helix: open helix: file does not exist
	// schemas/helix: reading schemas of pack helix: open helix: file does not exist
	// spec: reading specification: no pack, expected a folder with Markdown files
	// 0 requirements, 0 scenarios (0 rows), 0 mutants, 0 untestable, sources not read, 3 problems
}
