package run

import (
	"context"
	"io"
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// errorsMutants lists the mutants of errors.
func errorsMutants() []edit.Mutant {
	unclassified := func(change func(err error, f *runtime.Failure)) on.Apply {
		return onClassified(func(err error, f *runtime.Failure) {
			if f.Code == "" {
				change(err, f)
			}
		})
	}

	survived := on.Type("error").And(on.Is("recoverable", true))

	fatal, sorry := fatalError().And(on.ByChild().Not()), runtime.Chunk{"delta": "I am sorry."}

	return []edit.Mutant{
		// These lose codes, or texts.
		{Name: "failure-in-a-branch-is-swallowed", Requirement: "helix.errors.classified", Stateful: true,
			Summary: "What fails in one of several branches ends that branch, and nothing is said of it.",
			Apply:   edit.OnBranches(func(t runtime.Turn) runtime.Turn { return hopefulTurn{t} })},
		{Name: "first-code-sticks", Requirement: "helix.errors.classified", Stateful: true,
			Summary: "Later errors have the code of the first.",
			Also:    []string{"helix.errors.cancelled", "helix.errors.unclassified"},
			Apply:   on.Written(on.Type("error")).Stick("code")},
		{Name: "second-error-without-text", Requirement: "helix.errors.text", Stateful: true,
			Summary: "From the second error on, those that the run survives have no text.",
			Apply:   on.Written(on.Type("error").From(2), on.Is("recoverable", true)).Set("error", "")},

		// These report cancelled work as something else.
		{Name: "abort-after-error-is-its-code", Requirement: "helix.errors.cancelled", Stateful: true,
			Summary: "Work that is cancelled after an error has the code of that.",
			Apply: on.Written(on.Type("error"), on.Is("code", "framework_cancelled")).
				Recall("code", on.Type("error").And(on.Has("code")), "code")},

		// Mutants that classify errors without a classification.
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
		{Name: "unclassified-after-failed-tool-is-its", Requirement: "helix.errors.unclassified", Stateful: true,
			Summary: "An error that nobody knows is taken for that of the tool, if one has failed before.",
			Apply:   on.Written(on.Type("error").Since(on.FailedCall()), on.Is("code", nil)).Set("code", "tool_execution_failed")},

		// Mutants that set retryable without regard to the error.
		{Name: "recoverable-by-code", Requirement: "helix.errors.recoverable", Also: []string{"helix.errors.classified", "helix.output.on-success"},
			Summary: "Whether an error may be tried again is read off its code.",
			Apply: onClassified(func(_ error, f *runtime.Failure) {
				f.Recoverable = slices.Contains([]string{"provider_overloaded", "provider_rate_limited", "provider_timeout"}, f.Code)
			})},
		{Name: "recoverable-as-first-time", Requirement: "helix.errors.recoverable", Stateful: true,
			Summary: "A code that was recoverable once is reported so every time.",
			Apply:   on.Written(on.Per("code", on.Type("error").Since(on.Is("recoverable", true)))).Set("recoverable", true)},
		{Name: "third-try-is-last", Requirement: "helix.errors.goes-on", Stateful: true, Also: []string{"helix.errors.step"},
			Summary: "After the third error that may be tried again the run gives up.",
			Apply:   breaksAfter(survived.Nth(3))},

		// These go on after a fatal error.
		{Name: "talks-on-while-others-fail", Requirement: "helix.errors.fatal-last", Stateful: true,
			Summary: "What was at work when a fatal error came says something after it.",
			Apply:   on.Written(fatal.Within(on.Type("tool_start"), on.WorkedCall())).FollowWith("text_delta", sorry)},

		// These finish the stream badly after a fatal error.
		{Name: "fatal-error-ends-well", Requirement: "helix.errors.fatal-fails",
			Summary: "A run that has failed ends its stream like any other.",
			Also:    []string{"helix.runs.outcome"},
			Apply:   on.Outcomes().End()},
		{Name: "later-fatal-error-ends-well", Requirement: "helix.errors.fatal-fails", Stateful: true,
			Summary: "A run that has failed after it has committed something ends its stream well.",
			Also:    []string{"helix.runs.outcome"},
			Apply:   on.Outcomes(on.Type("step_committed")).End()},
		{Name: "fail-frame-repeats-first-error", Requirement: "helix.errors.same-text", Stateful: true,
			Summary: "The fail frame has the text of the first error of the stream.",
			Apply:   on.Outcomes(on.Type("error").Nth(1)).EditBy(func(o *on.Outcome, first runtime.Chunk) { o.Message = on.Text(first, "error") })},

		// These report errors in another step.
		{Name: "errors-stay-in-first-step", Requirement: "helix.errors.step", Stateful: true,
			Summary: "An error has the step of the first one of its run.",
			Also:    []string{"helix.runs.step-order", "helix.checkpoints.after-step"},
			Apply:   on.Written(on.Type("error")).Stick("step")},
	}
}

// fatalError matches errors after which no agent continues.
func fatalError() on.Writing { return on.Type("error").And(on.Is("recoverable", false)) }

// hopefulTurn ends where it fails.
type hopefulTurn struct{ runtime.Turn }

func (t hopefulTurn) Next(ctx context.Context) (runtime.Event, error) {
	event, err := t.Turn.Next(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, io.EOF
	}
	return event, err
}
