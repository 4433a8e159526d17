package stepstest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// Heartbeat is the interval at which the servers of a stage send comments.
const Heartbeat = 50 * time.Millisecond

const (
	// waitLimit is the deadline where an answer is expected, and soon where silence is. A busy machine may need longer than
	// soon for what comes before the silence; then the fixture is played again with a deadline that is longer so many times.
	waitLimit = 20 * time.Second
	soon      = 400 * time.Millisecond
	longer    = 4
	// tries limits how often the failing server is played where the Then passes on it: some
	// faults show by chance, as a delayed write does. The passing server is never tried again.
	tries = 5
)

// Server is the server of a fixture. One that is Replicated can be killed and started again.
type Server interface {
	http.Handler
	Close()
}

// Replicated is a server that can be served twice over one store.
type Replicated interface {
	Server
	target.Program
	// Replica makes the second one.
	Replica() Replicated
}

// Stage is shared by all worlds of a pack.
type Stage struct {
	Vocabulary *steps.Vocabulary // of the pack
	Env        steps.Env         // for all worlds
	Config     target.Config     // without the URL and the timing
	// Server makes the one of the pack that has no fault, or the mutant of that
	// name; nil if there is none.
	Server func(mutant string) Server
}

// serve serves a server on a loopback socket and returns its address.
func (s *Stage) serve(t *testing.T, srv Server, deadline time.Duration) *target.Target {
	t.Helper()
	listening := httptest.NewServer(srv)
	cfg := s.Config
	if program, may := srv.(Replicated); may {
		second := program.Replica()
		beside := httptest.NewServer(second)
		t.Cleanup(func() {
			second.Close()
			beside.CloseClientConnections()
			beside.Close()
		})
		cfg.Fleet = func(url string) []target.Replica {
			return []target.Replica{{URL: url, Program: program}, {URL: beside.URL, Program: second}}
		}
	}
	cfg.URL, cfg.Timing = listening.URL, target.Timing{Deadline: deadline, Heartbeat: Heartbeat, Idle: soon}
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

// bad makes the server that differs in one fact; a fixture that names no mutant has none, but another setup.
func (s *Stage) bad(t *testing.T, name string) Server {
	t.Helper()
	srv := s.Server(name)
	if srv == nil {
		t.Fatalf("there is no mutant %q", name)
	}
	return srv
}

// mistake is the error of a setup that fails before its Then is checked.
type mistake struct{ error }

// play runs the steps of a setup and then the Then in a new world. It returns the failure
// of the Then, and how many occasions it counted; the error is a mistake where the setup fails before.
func (s *Stage) play(t *testing.T, tg *target.Target, requirement string, scene []string, then string) (occasions int, err error) {
	t.Helper()
	w := steps.NewWorld(s.Env, tg.Session(t.Context()), requirement)
	defer w.Session().Close()
	defer w.Finish()
	ctx := steps.With(context.Background(), w)
	for _, text := range scene {
		if err := s.step(ctx, w, text, features.Given, features.When, features.Then); err != nil {
			return 0, &mistake{fmt.Errorf("the scene fails at %q: %w", text, err)}
		}
	}
	before := w.Occasions()
	err = s.step(ctx, w, then, features.Then)
	return w.Occasions() - before, err
}

// Outcome runs the steps of a setup on the server of a name and returns the failure of the first one that did not succeed;
// nil when all did.
func (s *Stage) Outcome(t *testing.T, server string, scene ...string) error {
	t.Helper()
	tg := s.serve(t, s.bad(t, server), waitLimit)
	w := steps.NewWorld(s.Env, tg.Session(t.Context()), "")
	defer w.Session().Close()
	defer w.Finish()
	ctx := steps.With(context.Background(), w)
	for _, text := range scene {
		if err := s.step(ctx, w, text, features.Given, features.When, features.Then); err != nil {
			return err
		}
	}
	return nil
}

// step runs one step by the first definition of the keywords, in their order.
func (s *Stage) step(ctx context.Context, w *steps.World, text string, keywords ...features.Keyword) error {
	for _, k := range keywords {
		if found := matching(s.Vocabulary.Definitions(), sentence{k, firstLine(text)}); len(found) > 0 {
			w.Heading(text)
			return found[0].Call(ctx, text)
		}
	}
	return &steps.Fault{Reason: fmt.Sprintf("no definition matches %q", text)}
}

// firstLine returns a step without the doc string below it.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// verdictOn returns the mistakes in the outcomes of a fixture; none if the Then passed on the one and failed on the other.
func verdictOn(p steps.Fixture, occasions int, good, bad error) []string {
	var problems []string
	if good != nil {
		problems = append(problems, fmt.Sprintf("it doesn't pass on the good world: %v", good))
	} else if occasions == 0 {
		problems = append(problems, "it passes on the good world and counts no occasion")
	}
	var failure *steps.Failure
	var failed *mistake
	switch {
	case errors.As(bad, &failed):
		problems = append(problems, bad.Error())
	case bad == nil:
		problems = append(problems, "it can't fail: the bad world passes")
	case !errors.As(bad, &failure):
		problems = append(problems, fmt.Sprintf("the bad world is no failure of the server: %v", bad))
	case failure.Want == "":
		problems = append(problems, fmt.Sprintf("the failure doesn't say what was expected; a finding of a schema alone never does: %v", failure))
	case !strings.Contains(failure.Error(), p.Message):
		problems = append(problems, fmt.Sprintf("the failure doesn't say %q: %v", p.Message, failure))
	}
	return problems
}

// Fixtures checks the pairs of a pack against its vocabulary, and plays each.
func (s *Stage) Fixtures(t *testing.T, fixtures []steps.Fixture) {
	t.Helper()
	t.Run("every Then has a fixture", func(t *testing.T) { paired(t, s.Vocabulary.Definitions(), fixtures) })
	good := s.serve(t, s.bad(t, ""), waitLimit)
	for _, p := range fixtures {
		t.Run(p.Name(), func(t *testing.T) {
			t.Parallel()
			s.playFixture(t, p, good)
		})
	}
}

// playFixture plays a Then on the good world and on the one that differs in a fact.
func (s *Stage) playFixture(t *testing.T, p steps.Fixture, good *target.Target) {
	t.Helper()
	deadline := waitLimit
	if p.TimesOut {
		deadline = soon
	}
	other := p.Setup
	if p.Other != nil {
		other = p.Other
	}
	if p.Kills {
		good = s.serve(t, s.bad(t, ""), waitLimit)
	}
	occasions, passes := s.play(t, good, p.Of, p.Setup, p.Then)
	var problems []string
	for ; ; deadline *= longer {
		var fails error
		for try := 0; try < tries && fails == nil; try++ {
			_, fails = s.play(t, s.serve(t, s.bad(t, p.Mutant), deadline), p.Of, other, p.Then)
		}
		problems = verdictOn(p, occasions, passes, fails)
		if p.TimesOut != isTimeout(fails) {
			problems = append(problems, fmt.Sprintf("late is %v: %v", p.TimesOut, fails))
		}
		if len(problems) == 0 || deadline >= waitLimit {
			break
		}
	}
	for _, problem := range problems {
		t.Error(problem)
	}
}

// isTimeout reports that a failure is one of waiting.
func isTimeout(err error) bool {
	var failed *mistake
	if errors.As(err, &failed) {
		return false
	}
	var failure *steps.Failure
	return errors.As(err, &failure) && failure.Message == steps.TimedOut
}

// paired: a Then that fails in no fixture proves nothing.
func paired(t *testing.T, ds []steps.Definition, fixtures []steps.Fixture) {
	t.Helper()
	for _, d := range unpaired(ds, fixtures) {
		t.Errorf("no fixture has %s", d.Pattern)
	}
	used := map[string]bool{}
	for _, p := range fixtures {
		if used[p.Name()] {
			t.Errorf("two fixtures are called %s", p.Name())
		}
		used[p.Name()] = true
		if (p.Mutant == "") == (p.Other == nil) {
			t.Errorf("%s: a fixture has a mutant or another setup", p.Name())
		}
		if differences(p.Setup, p.Other) > 1 {
			t.Errorf("%s: the scenes differ in more than one step", p.Name())
		}
		if len(matching(ds, sentence{features.Then, firstLine(p.Then)})) != 1 {
			t.Errorf("%q is no Then of the vocabulary", p.Then)
		}
	}
}

func unpaired(ds []steps.Definition, ps []steps.Fixture) []steps.Definition {
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
