package stepstest

import (
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
)

func TestVerdictOn(t *testing.T) {
	failure := &steps.Failure{Finding: record.Finding{Want: "event 2", Got: "event 3"}}
	for _, c := range []struct {
		name      string
		occasions int
		good, bad error
		problems  int
	}{
		{"a fixture that proves", 1, nil, failure, 0},
		{"no occasion", 0, nil, failure, 1},
		{"both fail", 0, failure, failure, 1},
		{"both pass", 1, nil, nil, 1},
		{"a fault", 1, nil, &steps.Fault{Reason: "x"}, 1},
		{"unprovable", 1, nil, &steps.Unprovable{Reason: "x"}, 1},
		{"another failure", 1, nil, &steps.Failure{Finding: record.Finding{Want: "event 9"}}, 1},
		{"a failure that wants nothing", 1, nil, &steps.Failure{Finding: record.Finding{Message: "connection reset, got event 3"}}, 1},
	} {
		if got := verdictOn(steps.Fixture{Message: "got event 3"}, c.occasions, c.good, c.bad); len(got) != c.problems {
			t.Errorf("%s: got %q", c.name, got)
		}
	}
}

func TestUnpaired(t *testing.T) {
	v := steps.NewVocabulary(func(w *steps.World) *steps.World { return w })
	paired := steps.Fixture{Then: "no exchange of this scenario breaks this rule"}
	if got := unpaired(v.Definitions(), []steps.Fixture{paired}); len(got) != 0 {
		t.Errorf("with its fixture, a Then is unpaired: %v", got)
	}
	if got := unpaired(v.Definitions(), nil); len(got) != 1 {
		t.Errorf("without its only fixture, %d Thens are unpaired: %v", len(got), got)
	}
}

func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"a b c", "a b c", 0}, {"a b c", "a x c", 1}, {"a b", "a b c", 1}, {"a b c", "x b y", 3}} {
		if got := differences(strings.Fields(c.a), strings.Fields(c.b)); got != c.want {
			t.Errorf("%s and %s: got %d", c.a, c.b, got)
		}
	}
}
