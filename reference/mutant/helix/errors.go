package helix

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

func runErrors() []Mutant {
	return slices.Concat(errorCodes(), errorTexts(), errorAborts(), errorFrames(),
		errorGuesses(), errorRetries(), errorEnds(), errorSteps(), errorStops())
}

// errorCodes lose codes.
func errorCodes() []Mutant {
	return []Mutant{
		{Name: "every-error-is-internal", Requirement: "helix.errors.classified",
			Summary: "Every error chunk has the code framework_internal_error.",
			Also:    []string{"helix.errors.cancelled"},
			Apply:   on.Written(on.Type("error")).Set("code", "framework_internal_error")},
		{Name: "code-by-category", Requirement: "helix.errors.classified",
			Summary: "Every error of the provider is a provider_error.",
			Apply: on.Written(on.Type("error"), on.If(func(c runtime.Chunk) bool { return strings.HasPrefix(on.Text(c, "code"), "provider_") })).
				Set("code", "provider_error")},
		{Name: "first-code-sticks", Requirement: "helix.errors.classified", Stateful: true,
			Summary: "Later errors have the code of the first.",
			Also:    []string{"helix.errors.cancelled", "helix.errors.unclassified"},
			Apply: on.Written().Course(func(*on.Producer) func(runtime.Chunk) {
				var first any
				return func(c runtime.Chunk) {
					if c.Type() == "error" {
						if first == nil {
							first = c["code"]
						} else {
							c["code"] = first
						}
					}
				}
			})},
	}
}

// errorTexts have nothing to say.
func errorTexts() []Mutant {
	return []Mutant{
		{Name: "error-without-text", Requirement: "helix.errors.text",
			Summary: "An error that came without a text has none.",
			Apply: onClassified(func(err error, f *runtime.Failure) {
				if err.Error() == "" {
					f.Message = ""
				}
			})},
		{Name: "second-error-without-text", Requirement: "helix.errors.text", Stateful: true,
			Summary: "From the second error on, those that the run survives have no text.",
			Apply:   on.Written(on.Type("error").From(2), on.Is("recoverable", true)).Set("error", "")},
	}
}

// errorAborts report cancelled work as something else.
func errorAborts() []Mutant {
	return []Mutant{
		{Name: "abort-is-internal", Requirement: "helix.errors.cancelled",
			Summary: "Cancelled work is an internal error.",
			Apply: onClassified(func(err error, f *runtime.Failure) {
				if errors.Is(err, context.Canceled) {
					f.Code = "framework_internal_error"
				}
			})},
		{Name: "abort-is-unclassified", Requirement: "helix.errors.cancelled",
			Summary: "Cancelled work has no code.",
			Apply: onClassified(func(err error, f *runtime.Failure) {
				if errors.Is(err, context.Canceled) {
					f.Code = ""
				}
			})},
		{Name: "abort-after-error-is-its-code", Requirement: "helix.errors.cancelled", Stateful: true,
			Summary: "Work that is cancelled after an error has the code of that.",
			Apply: on.Written().Course(func(*on.Producer) func(runtime.Chunk) {
				var last any
				return func(c runtime.Chunk) {
					if c.Type() == "error" {
						if last != nil && c["code"] == "framework_cancelled" {
							c["code"] = last
						}
						last = c["code"]
					}
				}
			})},
	}
}

// errorGuesses classify what nobody has classified.
func errorGuesses() []Mutant {
	unclassified := func(change func(err error, f *runtime.Failure)) apply {
		return onClassified(func(err error, f *runtime.Failure) {
			if f.Code == "" {
				change(err, f)
			}
		})
	}
	return []Mutant{
		{Name: "code-guessed-from-words", Requirement: "helix.errors.unclassified",
			Summary: "An error that says 429 is one of rates, one that says timed out is one of time.",
			Apply: unclassified(func(err error, f *runtime.Failure) {
				switch {
				case strings.Contains(err.Error(), "429"):
					f.Code = "provider_rate_limited"
				case strings.Contains(err.Error(), "timed out"):
					f.Code = "provider_timeout"
				}
			})},
		{Name: "unclassified-is-providers", Requirement: "helix.errors.unclassified",
			Summary: "What nobody knows is the provider's fault.",
			Apply:   unclassified(func(_ error, f *runtime.Failure) { f.Code = "provider_error" })},
		{Name: "unclassified-is-survived", Requirement: "helix.errors.unclassified",
			Summary: "After an error that nobody knows the run goes on.",
			Also:    []string{"helix.output.on-success", "helix.runs.outcome", "helix.subagents.failed"},
			Apply:   unclassified(func(_ error, f *runtime.Failure) { f.Recoverable = true })},
		{Name: "unclassified-after-failed-tool-is-its", Requirement: "helix.errors.unclassified", Stateful: true,
			Summary: "An error that nobody knows is taken for that of the tool, if one has failed before.",
			Apply: on.Written().Course(func(*on.Producer) func(runtime.Chunk) {
				failed := false
				return func(c runtime.Chunk) {
					failed = failed || failedCall(c)
					if failed && c.Type() == "error" && c["code"] == nil {
						c["code"] = "tool_execution_failed"
					}
				}
			})},
	}
}

// errorRetries decide by themselves what may be tried again.
func errorRetries() []Mutant {
	survived := func(c runtime.Chunk) bool { return c.Type() == "error" && c["recoverable"] == true }
	return []Mutant{
		{Name: "recoverable-by-code", Requirement: "helix.errors.recoverable",
			Summary: "Whether an error may be tried again is read off its code.",
			Also:    []string{"helix.errors.classified", "helix.output.on-success"},
			Apply: onClassified(func(_ error, f *runtime.Failure) {
				f.Recoverable = slices.Contains([]string{"provider_overloaded", "provider_rate_limited", "provider_timeout"}, f.Code)
			})},
		{Name: "recoverable-as-first-time", Requirement: "helix.errors.recoverable", Stateful: true,
			Summary: "A code that was recoverable once is reported so every time.",
			Apply: on.Written().Course(func(*on.Producer) func(runtime.Chunk) {
				known := map[any]bool{}
				return func(c runtime.Chunk) {
					if c.Type() == "error" {
						known[c["code"]] = known[c["code"]] || c["recoverable"] == true
						c["recoverable"] = known[c["code"]]
					}
				}
			})},
		{Name: "survived-error-ends-run", Requirement: "helix.errors.goes-on",
			Summary: "After an error that may be tried again the run gives up nevertheless.",
			Also:    []string{"helix.errors.classified", "helix.errors.step", "helix.errors.recoverable"},
			Apply:   breaksAfter(func() func(runtime.Chunk) bool { return survived })},
		{Name: "third-try-is-last", Requirement: "helix.errors.goes-on", Stateful: true,
			Summary: "After the third error that may be tried again the run gives up.",
			Also:    []string{"helix.errors.step"},
			Apply: breaksAfter(func() func(runtime.Chunk) bool {
				tries := 0
				return func(c runtime.Chunk) bool {
					if survived(c) {
						tries++
					}
					return tries > 2
				}
			})},
	}
}

// onRunFailure changes what a run fails its stream with.
func onRunFailure(begin func() func(message string) string) apply {
	return on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
		change := begin()
		j.OnFail = func(ctx context.Context, w runtime.Writer, message, code string) error {
			return inner.Fail(ctx, w, change(message), code)
		}
	})
}

// errorEnds go on after a fatal error.
func errorEnds() []Mutant {
	fatal := func(w runtime.Writer, c runtime.Chunk) bool {
		return c.Type() == "error" && c["recoverable"] == false && c.AgentID() == w.Session
	}
	sorry := func(c runtime.Chunk) runtime.Chunk {
		return on.Like(c, "text_delta", runtime.Chunk{"delta": "I am sorry."})
	}
	return []Mutant{
		{Name: "apologises-after-fatal-error", Requirement: "helix.errors.fatal-last",
			Summary: "After a fatal error the agent says that it is sorry.",
			Apply: on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
				return func(c runtime.Chunk) []runtime.Chunk {
					if fatal(p.Writer, c) {
						return only(c, sorry(c))
					}
					return only(c)
				}
			})},
		{Name: "talks-on-while-others-fail", Requirement: "helix.errors.fatal-last", Stateful: true,
			Summary: "What was at work when a fatal error came says something after it.",
			Apply: on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
				open := 0
				return func(c runtime.Chunk) []runtime.Chunk {
					switch {
					case c.Type() == "tool_start":
						open++
					case c.Type() == "tool_end" && !failedCall(c):
						open--
					case fatal(p.Writer, c) && open > 0:
						return only(c, sorry(c))
					}
					return only(c)
				}
			})},
	}
}

// errorFrames finish the stream badly after a fatal error.
func errorFrames() []Mutant {
	return []Mutant{
		{Name: "fatal-error-ends-well", Requirement: "helix.errors.fatal-fails",
			Summary: "A run that has failed ends its stream like any other.",
			Also:    []string{"helix.runs.outcome"},
			Apply: on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
				j.OnFail = func(ctx context.Context, w runtime.Writer, _, _ string) error { return inner.End(ctx, w, nil) }
			})},
		{Name: "later-fatal-error-ends-well", Requirement: "helix.errors.fatal-fails", Stateful: true,
			Summary: "A run that has failed after it has committed something ends its stream well.",
			Also:    []string{"helix.runs.outcome"},
			Apply:   endsAfter("step_committed")},
		{Name: "fail-frame-hides-error", Requirement: "helix.errors.same-text",
			Summary: "The fail frame says that something went wrong.",
			Apply:   onRunFailure(func() func(string) string { return func(string) string { return "something went wrong" } })},
		{Name: "fail-frame-repeats-first-error", Requirement: "helix.errors.same-text", Stateful: true,
			Summary: "The fail frame has the text of the first error of the stream.",
			Apply: on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
				var first alter.Ledger[string]
				j.Note(func(w runtime.Writer, c runtime.Chunk) {
					if c.Type() == "error" && first.Get(w.Stream) == "" {
						first.Set(w.Stream, on.Text(c, "error"))
					}
				})
				j.OnFail = func(ctx context.Context, w runtime.Writer, _, code string) error {
					return inner.Fail(ctx, w, first.Get(w.Stream), code)
				}
			})},
	}
}

// errorSteps report errors in another step.
func errorSteps() []Mutant {
	return []Mutant{
		{Name: "error-of-next-step", Requirement: "helix.errors.step",
			Summary: "An error belongs to the step that would come next.",
			Apply: on.Written(on.Type("error")).With(func(c runtime.Chunk) {
				step, _ := c.Step()
				c["step"] = step + 1
			})},
		{Name: "errors-stay-in-first-step", Requirement: "helix.errors.step", Stateful: true,
			Summary: "An error has the step of the first one of its run.",
			Also:    []string{"helix.runs.step-order", "helix.checkpoints.after-step"},
			Apply: on.Written().Course(func(*on.Producer) func(runtime.Chunk) {
				var first any
				return func(c runtime.Chunk) {
					if c.Type() == "error" {
						if first == nil {
							first = c["step"]
						}
						c["step"] = first
					}
				}
			})},
	}
}
