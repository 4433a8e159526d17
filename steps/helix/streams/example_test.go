package streams_test

import (
	"fmt"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/streams"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// A scenario is a list of steps, each an instance of one sentence.
func Example() {
	v := steps.NewVocabulary(world.Of, streams.Sentences)
	for _, d := range v.Used([]features.Step{
		{Keyword: features.Given, Text: "a new stream"},
		{Keyword: features.When, Text: "the writer closes"},
		{Keyword: features.When, Text: "the closed writer tries to write"},
	}) {
		file, _ := d.Source()
		fmt.Println(d.Keyword, d.Pattern, file)
	}
	// Output:
	// Given ^a new stream$ steps/helix/streams/open.go
	// When ^the writer closes$ steps/helix/streams/writer.go
	// When ^the closed writer tries to write$ steps/helix/streams/writer.go
}
