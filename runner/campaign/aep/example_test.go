package aep_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	reference "github.com/streamcert/streamcert/reference/aep"
	campaign "github.com/streamcert/streamcert/runner/campaign/aep"
	"github.com/streamcert/streamcert/runner/target"
)

// A program is a text. Playing it finds nothing wrong with a server that keeps to the specification.
func ExamplePlay() {
	ref := reference.New(reference.Options{Heartbeat: -1})
	defer ref.Close()
	server := httptest.NewServer(ref)
	defer server.Close()
	tg, err := target.New(target.Config{URL: server.URL}, target.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tg.Close()
	program, err := campaign.Parse("1 thread\na request of 1 message with blank data of 9 bytes by choice 3: says 2 words, waits, says 1 words\nthe agent goes on")
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
	everything := func(string) bool { return true }
	one, other := campaign.Draw(7, 0, "a conversation", everything), campaign.Draw(7, 0, "a conversation", everything)
	fmt.Println(one.String() == other.String())
	// Output: true
}
