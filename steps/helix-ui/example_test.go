package helixui_test

import (
	"fmt"

	"github.com/streamcert/streamcert/features"
	helixui "github.com/streamcert/streamcert/steps/helix-ui"
)

// A scenario is a list of steps, each an instance of one sentence.
func Example() {
	for _, d := range helixui.Vocabulary().Used([]features.Step{
		{Keyword: features.Then, Text: `the call returns {"sky": "sunny"}`},
		{Keyword: features.Then, Text: "no call of the response has an output"},
	}) {
		file, _ := d.Source()
		fmt.Println(d.Keyword, d.Pattern, file)
	}
	// Output:
	// Then ^the call returns (.+)$ steps/helix-ui/tool.go
	// Then ^no call of the response has an output$ steps/helix-ui/waiting.go
}
