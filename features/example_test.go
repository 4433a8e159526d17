package features_test

import (
	"fmt"
	"testing/fstest"

	"github.com/streamcert/streamcert/features"
)

func Example() {
	files := fstest.MapFS{"helix/resume/toy.feature": {Data: []byte(`Feature: Resuming

  @helix.resume.after-cursor @must
  Rule: A resumed stream starts after the acknowledged event

    Scenario Outline: Resuming after event <last>
      Given a stream that holds events 1 to 3
      When the client resumes after event <last>
      Then the client receives event <next>

      Examples:
        | last | next |
        | 1    | 2    |
        | 2    | 3    |
`)}}
	scenarios, err := features.Load(files, "helix")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, sc := range scenarios {
		fmt.Println(sc.Location(), "proves", sc.Requirement)
		for _, row := range sc.Rows {
			last := row.Steps[len(row.Steps)-1]
			fmt.Printf("  %s: %s %s\n", row.Title, last.Keyword, last.Text)
		}
	}
	// Output:
	// helix/resume/toy.feature:6 proves helix.resume.after-cursor
	//   Resuming after event 1: Then the client receives event 2
	//   Resuming after event 2: Then the client receives event 3
}
