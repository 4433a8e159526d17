package runner_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"
	"testing"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// A server is certified in a test of its package. The handler is yours, with the
// control binding in a test build.
func ExampleTest() {
	handler := reference.New(reference.Options{})
	_ = func(t *testing.T) { // func TestConformance(t *testing.T)
		server := httptest.NewServer(handler)
		defer server.Close()
		runner.Test(t, target.Config{
			URL:     server.URL,
			Without: []string{"auth", "cors"}, // capabilities that the server doesn't claim
		})
	}
	// go test -run 'TestConformance/helix/helix.resume'
}

// Without go test, a suite is loaded and run.
func Example() {
	handler := reference.New(reference.Options{})
	server := httptest.NewServer(handler)
	defer server.Close()
	defer handler.Close()

	files := runner.Files{Spec: spec.FS, Schemas: schemas.FS, Features: features.FS, Golden: golden.FS}
	suite, err := runner.Load(files, "helix")
	if err != nil {
		log.Fatal(err)
	}
	t, err := target.New(target.Config{URL: server.URL}, target.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	result, err := runner.Run(context.Background(), suite, runner.Options{Target: t, Only: []string{"helix.resume.c*"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, q := range result.Report.Requirements {
		fmt.Println(q.ID, q.Verdict == report.Pass)
	}
	// Output:
	// helix.resume.complete true
	// helix.resume.cycles true
}
