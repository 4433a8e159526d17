package campaign_test

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign"
)

// Each kind of operation goes on where its last one ended, so that each of its ways has its turn.
func ExampleChoices() {
	choices := campaign.NewChoices(campaign.NewDraw(1, 0))
	first := choices.Next("texts", 3)
	choices.Next("calls", 9)
	fmt.Println(choices.Next("texts", 1) - first)
	// Output: 3
}

// An operation is a line of a program.
func ExampleParseOperation() {
	o, err := campaign.ParseOperation("3 texts of blank data of 9 bytes by choice 7", func(string) (data, known bool) { return true, true })
	fmt.Println(o.Count, o.Kind, o.Class, o.Size, o.Choice, err)
	// Output: 3 texts blank 9 7 <nil>
}
