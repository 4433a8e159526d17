package steps

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/cucumber/godog"

	"github.com/streamcert/streamcert/features"
)

// Definition is one sentence of the vocabulary.
type Definition struct {
	Keyword features.Keyword
	Pattern *regexp.Regexp
	Arity   int  // number of parameters that the handler takes, doc strings and tables included
	Block   bool // the last parameter is a doc string
	handler any
}

// Vocabulary is every sentence that feature files may use. It is immutable.
type Vocabulary struct{ definitions []Definition }

// NewVocabulary compiles the vocabulary.
func NewVocabulary() *Vocabulary {
	v := &Vocabulary{}
	for _, add := range []func(*Vocabulary){
		streamSteps, writeSteps, chunkSteps, clientSteps, headSteps, resumeSteps, cutSteps, sweepSteps, receiveSteps,
		finishSteps, truncationSteps, resetSteps, statusSteps, infoSteps, silenceSteps, requestSteps, isolationSteps,
		concurrentSteps, loadSteps, interopSteps, runSteps, producedSteps, saidSteps, listSteps, failureSteps, courseSteps,
		snapshotSteps, snapshotStateSteps, snapshotMessageSteps,
		askSteps, responseSteps, toolSteps, refusalSteps,
	} {
		add(v)
	}
	return v
}

// Definitions lists the vocabulary in the order of its registration.
func (v *Vocabulary) Definitions() []Definition { return v.definitions }

// Bind registers the vocabulary with a scenario. The world comes from the
// context that a Before hook made with [With].
func (v *Vocabulary) Bind(sc *godog.ScenarioContext) {
	for _, d := range v.definitions {
		switch d.Keyword {
		case features.Given:
			sc.Given(d.Pattern, d.handler)
		case features.When:
			sc.When(d.Pattern, d.handler)
		default:
			sc.Then(d.Pattern, d.handler)
		}
	}
}

type worldKey struct{}

// With returns a context that carries the world of a scenario.
func With(ctx context.Context, w *World) context.Context {
	return context.WithValue(ctx, worldKey{}, w)
}

// From returns the world that a context carries, nil when it carries none.
func From(ctx context.Context) *World {
	w, _ := ctx.Value(worldKey{}).(*World)
	return w
}

func run(ctx context.Context, f func(*World) error) (err error) {
	w := From(ctx)
	if w == nil {
		return fault("no world in the context of this step")
	}
	defer func() {
		if r := recover(); r != nil {
			err = fault("a step panicked: %v", r)
		}
		w.settle(err)
		// godog keeps what a step returns until the run is over. An exchange holds
		// everything that was received, and stays with the world.
		if f, ok := err.(*Failure); ok {
			err = &Failure{Message: f.Message, Want: f.Want, Got: f.Got, Frame: f.Frame}
		}
	}()
	if w.env.Withheld != "" {
		return &Unprovable{w.env.Withheld}
	}
	return classify(f(w))
}

// client is the part of a pattern that names who receives.
const client = `(the client|client "[^"]+"|every client|a fresh client|the stalled client)`

// events is the part of a pattern that names events: "event 3", "events 1 to 4".
const events = `(events? \d[\d, to]*)`

// text is the part of a pattern that is a JSON string.
const text = `("(?:[^"\\]|\\.)*")`

func (v *Vocabulary) add(k features.Keyword, pattern string, arity int, handler any) {
	if !strings.HasPrefix(pattern, "^") || !strings.HasSuffix(pattern, "$") {
		panic(fmt.Sprintf("step pattern %q is not anchored", pattern)) // found by the first test that builds a vocabulary
	}
	v.definitions = append(v.definitions, Definition{Keyword: k, Pattern: regexp.MustCompile(pattern), Arity: arity, handler: handler})
}

func step0(v *Vocabulary, k features.Keyword, pattern string, f func(*World) error) {
	v.add(k, pattern, 0, func(ctx context.Context) error {
		return run(ctx, f)
	})
}

func step1[A any](v *Vocabulary, k features.Keyword, pattern string, f func(*World, A) error) {
	v.add(k, pattern, 1, func(ctx context.Context, a A) error {
		return run(ctx, func(w *World) error { return f(w, a) })
	})
}

func step2[A, B any](v *Vocabulary, k features.Keyword, pattern string, f func(*World, A, B) error) {
	v.add(k, pattern, 2, func(ctx context.Context, a A, b B) error {
		return run(ctx, func(w *World) error { return f(w, a, b) })
	})
}

func step3[A, B, C any](v *Vocabulary, k features.Keyword, pattern string, f func(*World, A, B, C) error) {
	v.add(k, pattern, 3, func(ctx context.Context, a A, b B, c C) error {
		return run(ctx, func(w *World) error { return f(w, a, b, c) })
	})
}

// both registers a sentence that can set a scene as well as be its event.
func both(register func(features.Keyword)) {
	register(features.Given)
	register(features.When)
}

// onStream0 to onStream2 hand a handler the scenario's only stream.

func onStream0(f func(*World, *stream) error) func(*World) error {
	return func(w *World) error {
		s, err := w.stream("")
		if err != nil {
			return err
		}
		return f(w, s)
	}
}

func onStream1[A any](f func(*World, *stream, A) error) func(*World, A) error {
	return func(w *World, a A) error {
		return onStream0(func(w *World, s *stream) error { return f(w, s, a) })(w)
	}
}

func onStream2[A, B any](f func(*World, *stream, A, B) error) func(*World, A, B) error {
	return func(w *World, a A, b B) error {
		return onStream0(func(w *World, s *stream) error { return f(w, s, a, b) })(w)
	}
}
