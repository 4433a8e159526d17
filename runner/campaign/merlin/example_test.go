package merlin_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	reference "github.com/streamcert/streamcert/reference/merlin"
	campaign "github.com/streamcert/streamcert/runner/campaign/merlin"
	"github.com/streamcert/streamcert/runner/target"
)

// A program is a text. Playing it finds nothing wrong with a server that keeps to the specification.
func ExamplePlay() {
	ref := reference.New(reference.Options{})
	defer ref.Close()
	server := httptest.NewServer(ref)
	defer server.Close()
	tg, err := target.New(target.Config{URL: server.URL}, target.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tg.Close()
	program, err := campaign.Parse("a stream of version 1 by choice 2\n3 texts of blank data of 9 bytes\n2 usages by choice 7")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := campaign.Play(context.Background(), tg, program, campaign.Options{})
	fmt.Println(result.Failure == nil, err)
	// Output: true <nil>
}

// The same seed and number give the same program.
func ExampleDraw() {
	one, other := campaign.Draw(7, 0, "short streams", 2, everything{}), campaign.Draw(7, 0, "short streams", 2, everything{})
	fmt.Println(one.String() == other.String())
	// Output: true
}
