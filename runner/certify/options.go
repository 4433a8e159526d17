package certify

import (
	"context"
	"fmt"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// Options configure a run of a suite.
type Options struct {
	Target *target.Target  // required; shared by all rows
	Only   []string        // ids, locations of scenarios, or globs of either; all when empty
	Seed   int64           // determines the random choices of scenarios, and their order
	Effort campaign.Effort // how much of the campaigns is played; "" is none
	// Slow is the duration of the probes after all other scenarios. They are played where it isn't 0,
	// and where campaigns are.
	Slow time.Duration
	// Longest bounds how long they wait while all others run, where Slow is 0; 0 means two minutes.
	Longest     time.Duration
	Concurrency int    // scenarios at a time; 0 means 8
	Strict      bool   // a SHOULD that is broken fails the run
	Program     string // version of the program that runs the suite, for reports
	// Progress is called after each scenario, one call at a time.
	Progress func(Progress)
	// Rerun is the command that reruns one requirement, with %s for its id.
	Rerun string
	// Rows selects the rows of scenarios that run; nil selects all. The others don't affect verdicts.
	Rows func(sc features.Scenario, title string) bool
	// Skip excludes requirements by id, and scenarios by title or location; each may be a glob. Excluded requirements have the
	// verdict skipped.
	Skip []string
	// Timeout limits the duration of the run; 0 doesn't. Scenarios that have not run by then are errors.
	Timeout time.Duration
	// FailFast ends the run at the first requirement that fails.
	FailFast bool
	// Confirm is of how many findings the scenario is run once more by itself, so that
	// a report can say how a failure is reproduced; 0 for none.
	Confirm int
	// NoPreflight skips the check that the target can be certified at all.
	NoPreflight bool
	// Server is the server under test if the runner has started it; else nil.
	Server Server
	// Unshrunk leaves programs of campaigns that found something as they were drawn.
	Unshrunk bool
	// Until ends the run early once it returns true for a finding's requirement.
	Until func(requirement string) bool
	// Compare reports how the transcript of every scenario differs from its golden.
	Compare bool
	// Transcripts compares likewise, and returns the transcripts.
	Transcripts bool
	// Record keeps every exchange in the report, so that it can be judged again.
	Record bool
	// Known contains, by requirement id, why it is known to fail. A failure or warning of it becomes the verdict known.
	Known map[string]string
}

// Progress is the progress of a run.
type Progress struct {
	Done, Total int              // rows that have ended, this one included; at most Total
	Scenario    report.Scenario  // the row that ended
	Findings    []record.Finding // of the row, also on other requirements
}

// Result is the report of a run, with data that isn't part of the report.
type Result struct {
	Report *report.Report // complete, also of a run that was ended early
	// Transcripts are the recorded exchanges of scenarios, by golden path, with the rows of a file in order. Scenarios are
	// missing that failed, that have no transcript, or whose transcript didn't fit.
	Transcripts map[string]golden.File
	// Broken are the requirements with findings, selected or not.
	Broken []string
	// Counted is the number of the judge's checks by requirement, without those of steps.
	Counted map[string]int
	// Usual is the 99th percentile of the waits that succeeded. Callers choose deadlines by it.
	Usual time.Duration
}

// Server is the server under test, started by the runner.
type Server interface {
	// Died returns how it ended by itself since it was started last, such as "exit status 1"; "" while it runs.
	Died() string
	// OnDeath has f called, from another goroutine, whenever it ends by itself; nil ends that.
	OnDeath(f func())
	// Revive starts an ended server again; a server that is running but doesn't answer is ended first.
	Revive(ctx context.Context) error
	// Output returns the end of the output of all its processes, limited in size.
	Output() string
}

// timeoutError ends a run that takes longer than it may.
type timeoutError struct{ after time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("the run's timeout of %v", e.after) }

// WithTimeout limits the time of everything that uses the returned context: the start of the server, and each run. The
// report of a run that it ends mentions it. 0 is no limit.
func WithTimeout(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, timeout, &timeoutError{timeout})
}
