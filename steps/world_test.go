package steps_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/mutant"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/judge/helix"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/steps"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	heartbeat = 50 * time.Millisecond
	// patience is the deadline where an answer is expected, and soon where silence is.
	patience = 5 * time.Second
	soon     = 400 * time.Millisecond
)

// server is what stands under the worlds of a pair.
type server interface {
	http.Handler
	Close()
}

// stage is what all worlds share: the vocabulary, what a judge needs, and the rules for chunks, which take a while to load.
type stage struct {
	definitions []steps.Definition
	env         steps.Env
	config      target.Config // without the URL
	// server makes the one of the pack that has no fault, or the mutant of that name, nil if there is none.
	server func(mutant string) server
}

func newStage(t *testing.T) *stage {
	t.Helper()
	set, err := schemas.Load(schemas.FS, "helix")
	if err != nil {
		t.Fatal(err)
	}
	base := reference.Options{Validate: reference.Defaults(reference.Options{}).Validate, Heartbeat: heartbeat}
	mutants := map[string]mutant.Mutant{}
	for _, m := range mutant.Catalogue() {
		mutants[m.Name] = m
	}
	return &stage{
		definitions: steps.NewVocabulary().Definitions(),
		env: steps.Env{
			Schemas: set,
			Judge: func(o judge.Origin) judge.Machine {
				return helix.New(judge.Options{Schemas: set, Origin: o})
			},
			Answer: func(a judge.Answer) ([]judge.Finding, map[string]int) {
				return helix.JudgeAnswer(judge.Options{Schemas: set}, a)
			},
		},
		server: func(name string) server {
			m, known := mutants[name]
			switch {
			case name == "":
				return reference.New(base)
			case !known:
				return nil
			}
			return m.Handler(base)
		},
	}
}

// serve puts a server on a loopback socket and returns how to reach it.
func (s *stage) serve(t *testing.T, srv server, deadline time.Duration) *target.Target {
	t.Helper()
	listening := httptest.NewServer(srv)
	cfg := s.config
	cfg.URL, cfg.Timing = listening.URL, target.Timing{Deadline: deadline, Heartbeat: heartbeat, Idle: soon}
	tg, err := target.New(cfg, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		tg.Close()
		srv.Close() // first what the handlers wait for
		listening.CloseClientConnections()
		listening.Close()
	})
	return tg
}

// bad makes the server that differs in one fact; a pair that names no mutant has none, but another scene.
func (s *stage) bad(t *testing.T, name string) server {
	t.Helper()
	srv := s.server(name)
	if srv == nil {
		t.Fatalf("there is no mutant %q", name)
	}
	return srv
}

// play runs the steps of a scene and then the Then in a new world. It returns what the Then said, and how many occasions
// it counted; a scene that fails before is a mistake in the test.
func (s *stage) play(t *testing.T, tg *target.Target, requirement string, scene []string, then string) (occasions int, err error) {
	t.Helper()
	w := steps.NewWorld(s.env, tg.Session(t.Context()), requirement)
	defer w.Session().Close()
	defer w.Finish()
	ctx := steps.With(context.Background(), w)
	for _, text := range scene {
		if err := s.step(ctx, w, text, features.Given, features.When, features.Then); err != nil {
			t.Fatalf("the scene fails at %q: %v", text, err)
		}
	}
	before := w.Occasions()
	err = s.step(ctx, w, then, features.Then)
	return w.Occasions() - before, err
}

// step runs one step by the first definition of the keywords, in their order.
func (s *stage) step(ctx context.Context, w *steps.World, text string, keywords ...features.Keyword) error {
	for _, k := range keywords {
		if found := matching(s.definitions, sentence{k, firstLine(text)}); len(found) > 0 {
			w.Heading(text)
			return found[0].Call(ctx, text)
		}
	}
	return &steps.Fault{Reason: fmt.Sprintf("no definition matches %q", text)}
}

// firstLine is a step without the doc string below it.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// verdictOn says what is wrong with the outcome of a pair; nothing if the Then passed on the one and failed on the other.
func verdictOn(p steps.Pair, occasions int, good, bad error) []string {
	var problems []string
	if good != nil {
		problems = append(problems, fmt.Sprintf("it doesn't pass on the good world: %v", good))
	} else if occasions == 0 {
		problems = append(problems, "it passes on the good world and counts no occasion")
	}
	var failure *steps.Failure
	switch {
	case bad == nil:
		problems = append(problems, "it can't fail: the bad world passes")
	case !errors.As(bad, &failure):
		problems = append(problems, fmt.Sprintf("the bad world is no failure of the server: %v", bad))
	case failure.Want == "" || !strings.Contains(failure.Error(), p.Says):
		problems = append(problems, fmt.Sprintf("the failure doesn't say %q: %v", p.Says, failure))
	}
	return problems
}

func TestVerdictOn(t *testing.T) {
	failure := &steps.Failure{Want: "event 2", Got: "event 3"}
	for _, c := range []struct {
		name      string
		occasions int
		good, bad error
		problems  int
	}{
		{"a pair that proves", 1, nil, failure, 0},
		{"no occasion", 0, nil, failure, 1},
		{"both fail", 0, failure, failure, 1},
		{"both pass", 1, nil, nil, 1},
		{"a fault", 1, nil, &steps.Fault{Reason: "x"}, 1},
		{"unprovable", 1, nil, &steps.Unprovable{Reason: "x"}, 1},
		{"another failure", 1, nil, &steps.Failure{Want: "event 9"}, 1},
		{"a failure that wants nothing", 1, nil, &steps.Failure{Message: "connection reset, got event 3"}, 1},
	} {
		if got := verdictOn(steps.Pair{Says: "got event 3"}, c.occasions, c.good, c.bad); len(got) != c.problems {
			t.Errorf("%s: got %q", c.name, got)
		}
	}
}

// TestThens plays every pair.
func TestThens(t *testing.T) {
	stages := map[string]*stage{"": newStage(t), "aep": newAEPStage(t)}
	unbroken := map[string]*target.Target{}
	for pack, s := range stages {
		unbroken[pack] = s.serve(t, s.bad(t, ""), patience)
	}
	for _, p := range steps.Pairs() {
		s, good := stages[p.Pack], unbroken[p.Pack]
		if s == nil {
			t.Fatalf("%s: there is no stage for pack %q", p.Name(), p.Pack)
		}
		t.Run(p.Name(), func(t *testing.T) {
			t.Parallel()
			deadline := patience
			if p.Late {
				deadline = soon
			}
			other := p.Scene
			if p.Other != nil {
				other = p.Other
			}
			occasions, passes := s.play(t, good, p.Of, p.Scene, p.Then)
			_, fails := s.play(t, s.serve(t, s.bad(t, p.Mutant), deadline), p.Of, other, p.Then)
			for _, problem := range verdictOn(p, occasions, passes, fails) {
				t.Error(problem)
			}
			if p.Late != isLate(fails) {
				t.Errorf("late is %v: %v", p.Late, fails)
			}
		})
	}
}

// isLate says that a failure is one of waiting.
func isLate(err error) bool {
	var failure *steps.Failure
	return errors.As(err, &failure) && failure.Message == "waiting timed out"
}

// TestEveryThenHasAPair: a Then that no pair has seen fail proves nothing.
func TestEveryThenHasAPair(t *testing.T) {
	s := newStage(t)
	for _, d := range unpaired(s.definitions, steps.Pairs()) {
		t.Errorf("no pair has %s", d.Pattern)
	}
	used := map[string]bool{}
	for _, p := range steps.Pairs() {
		if used[p.Name()] {
			t.Errorf("two pairs are called %s", p.Name())
		}
		used[p.Name()] = true
		if (p.Mutant == "") == (p.Other == nil) {
			t.Errorf("%s: a pair has a mutant or another scene", p.Name())
		}
		if differences(p.Scene, p.Other) > 1 {
			t.Errorf("%s: the scenes differ in more than one step", p.Name())
		}
		if len(matching(s.definitions, sentence{features.Then, firstLine(p.Then)})) != 1 {
			t.Errorf("%q is no Then of the vocabulary", p.Then)
		}
	}
}

func unpaired(ds []steps.Definition, ps []steps.Pair) []steps.Definition {
	var out []steps.Definition
	for _, d := range ds {
		found := d.Keyword != features.Then
		for _, p := range ps {
			found = found || d.Pattern.MatchString(firstLine(p.Then))
		}
		if !found {
			out = append(out, d)
		}
	}
	return out
}

func TestUnpaired(t *testing.T) {
	ds := steps.NewVocabulary().Definitions()
	if got := unpaired(ds, steps.Pairs()[1:]); len(got) != 1 {
		t.Errorf("without its only pair, %d Thens are unpaired: %v", len(got), got)
	}
}

// differences counts the steps in which two scenes differ; a step more or less counts as one.
func differences(a, b []string) int {
	if b == nil {
		return 0
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b))
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
