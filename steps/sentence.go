package steps

import (
	"context"

	"github.com/cucumber/godog"

	"github.com/streamcert/streamcert/features"
)

// Sentences takes in the sentences of a chapter. Their handlers work on S, the
// state that a pack keeps of a scenario; every pack's sentences work on a
// *[World]. A handler returns a *[Failure], an *[Unprovable] or a *[Fault]; any
// other error is a failure of the server.
type Sentences[S any] struct {
	vocabulary *Vocabulary    // to which definitions are added
	of         func(*World) S // returns the pack's state of a world
}

// JSONString is the part of a pattern that captures a JSON string.
const JSONString = `("(?:[^"\\]|\\.)*")`

// Step0 registers a sentence whose pattern captures nothing.
func Step0[S any](v *Sentences[S], k features.Keyword, pattern string, f func(S) error) {
	v.vocabulary.add(k, pattern, 0, func(ctx context.Context) error {
		return run(ctx, k, func(w *World) error { return f(v.of(w)) })
	})
}

// Step1 registers a sentence whose pattern captures one value.
func Step1[S, A any](v *Sentences[S], k features.Keyword, pattern string, f func(S, A) error) {
	v.vocabulary.add(k, pattern, 1, func(ctx context.Context, a A) error {
		return run(ctx, k, func(w *World) error { return f(v.of(w), a) })
	})
}

// Step2 registers a sentence whose pattern captures two values.
func Step2[S, A, B any](v *Sentences[S], k features.Keyword, pattern string, f func(S, A, B) error) {
	v.vocabulary.add(k, pattern, 2, func(ctx context.Context, a A, b B) error {
		return run(ctx, k, func(w *World) error { return f(v.of(w), a, b) })
	})
}

// Step3 registers a sentence whose pattern captures three values.
func Step3[S, A, B, C any](v *Sentences[S], k features.Keyword, pattern string, f func(S, A, B, C) error) {
	v.vocabulary.add(k, pattern, 3, func(ctx context.Context, a A, b B, c C) error {
		return run(ctx, k, func(w *World) error { return f(v.of(w), a, b, c) })
	})
}

// Step4 registers a sentence whose pattern captures four values.
func Step4[S, A, B, C, D any](v *Sentences[S], k features.Keyword, pattern string, f func(S, A, B, C, D) error) {
	v.vocabulary.add(k, pattern, 4, func(ctx context.Context, a A, b B, c C, d D) error {
		return run(ctx, k, func(w *World) error { return f(v.of(w), a, b, c, d) })
	})
}

// Doc1 registers a sentence with a doc string below it.
func Doc1[S any](v *Sentences[S], k features.Keyword, pattern string, f func(S, string) error) {
	Step1(v, k, pattern, func(s S, doc *godog.DocString) error { return f(s, doc.Content) })
	v.vocabulary.lastHasBlock()
}

// Doc2 is Doc1 for a sentence whose pattern captures one value, which comes first.
func Doc2[S any](v *Sentences[S], k features.Keyword, pattern string, f func(S, string, string) error) {
	Step2(v, k, pattern, func(s S, a string, doc *godog.DocString) error { return f(s, a, doc.Content) })
	v.vocabulary.lastHasBlock()
}

func (v *Vocabulary) lastHasBlock() { v.definitions[len(v.definitions)-1].Block = true }

// Both registers a sentence that can be a Given as well as a When.
func Both(register func(features.Keyword)) {
	register(features.Given)
	register(features.When)
}
