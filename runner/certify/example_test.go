package certify_test

import (
	"fmt"
	"log"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// A plan lists what a run would prove, and what a server doesn't claim. Nothing is sent.
func ExampleNewPlan() {
	suite, err := runner.Load(runner.Files{Spec: spec.FS, Schemas: schemas.FS, Features: features.FS, Golden: golden.FS}, "helix")
	if err != nil {
		log.Fatal(err)
	}
	t, err := target.New(target.Config{URL: "http://127.0.0.1:8080", Without: []string{"cors"}}, target.Options{})
	if err != nil {
		log.Fatal(err)
	}
	plan, err := certify.NewPlan(suite, t, []string{"http.cors*", "resume.large-cursor"}, 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range plan.Requirements {
		fmt.Println(r.ID, plan.NotClaimed[r.ID])
	}
	// Output:
	// helix.http.cors cors
	// helix.resume.large-cursor
}
