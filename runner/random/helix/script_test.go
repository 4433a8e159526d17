package helix_test

import (
	"fmt"

	random "github.com/streamcert/streamcert/runner/random/helix"
)

// A failure is a script that a person can follow.
func ExampleFailure() {
	f := &random.Failure{
		Seed: 7, Drawn: 25, Message: "StreamInfo counts 2 chunks, and 1 are stored",
		Script: []random.Operation{
			{Kind: random.Write, Steps: []int{-1, 2}},
			{Kind: random.Resume, Reader: 1, Cursor: -1, First: true},
			{Kind: random.Cleanup, Step: 1},
			{Kind: random.Info},
		},
	}
	fmt.Print(f)
	// Output:
	// seed 7, 4 of 25 operations:
	//   stream 0: write, writer 0, a chunk, a chunk of step 2
	//   stream 0: resume, reader 1 after where it was (header), having received what was due
	//   stream 0: cleanup to step 1
	//   stream 0: info
	// then: StreamInfo counts 2 chunks, and 1 are stored
}
