package steps

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
)

// TestNothingToJudge: a Then without anything to check is neither a pass nor a failure.
func TestNothingToJudge(t *testing.T) {
	failure := &Failure{Finding: record.Finding{Message: "m"}}
	for _, c := range []struct {
		name string
		k    features.Keyword
		f    func(*World) error
		want error
	}{
		{"a Then that judged", features.Then, func(w *World) error { w.Saw(1); return nil }, nil},
		{"a Then that judged nothing", features.Then, func(*World) error { return nil }, &Unprovable{record.NothingToJudge}},
		{"a Then that failed", features.Then, func(*World) error { return failure }, failure},
		{"a When", features.When, func(*World) error { return nil }, nil},
		{"a Given", features.Given, func(*World) error { return nil }, nil},
	} {
		w := &World{}
		w.Saw(1) // of an earlier step
		err := run(With(context.Background(), w), c.k, c.f)
		if diff := cmp.Diff(c.want, err); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, diff)
		}
	}
}
