package play_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/campaign/helix/play"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/target"
)

// Playing a program finds nothing wrong with a server that keeps to the specification.
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
	history, err := program.Parse("1 stream\nwriter 1 writes 2 chunks of mixed steps, plain data of 20 bytes\nreader 1 attaches")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := play.Play(context.Background(), tg, history, play.Options{})
	fmt.Println(result.Failure == nil, err)
	// Output: true <nil>
}
