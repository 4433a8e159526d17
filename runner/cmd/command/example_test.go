package command_test

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/cmd/command"
)

// A mistake in a call is a separate error type, which ends the program with exit code 2.
func ExampleSuggest() {
	formats := []string{"console", "json"}
	fmt.Println(command.Usage("there is no format %q%s", "jsn", command.Suggest("jsn", formats)))
	// Output: there is no format "jsn" (did you mean json?)
}
