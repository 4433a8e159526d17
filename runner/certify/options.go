package certify

import (
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// Options are how a suite is run.
type Options struct {
	Target *target.Target
	Only   []string // ids, places of scenarios, or globs of either; all when empty
	Seed   int64
	Effort campaign.Effort // how much of the campaigns is played; "" is none
	// Slow is for how long probes, which wait while all others run, are held after them. They are played where it isn't 0,
	// and where campaigns are.
	Slow time.Duration
	// Longest bounds how long they wait while all others run, where Slow is 0; 0 means two minutes.
	Longest     time.Duration
	Concurrency int // scenarios at a time; 0 means 8
	Strict      bool
	Program     string // version of the program that runs the suite, for reports
	// Progress is called after each scenario, one call at a time.
	Progress func(Progress)
	// Rerun is the command that reruns one requirement, with %s for its id.
	Rerun string
	// Rows selects the rows of scenarios that run; nil is all of them. What
	// isn't run has no part in a verdict.
	Rows func(sc features.Scenario, title string) bool
	// Skip leaves out requirements by id, and scenarios by title or place; each may be
	// a glob. What is skipped has the verdict skipped.
	Skip []string
	// Timeout bounds the whole run, 0 doesn't. What has not run by then is an error.
	Timeout time.Duration
	// FailFast ends the run at the first requirement that fails.
	FailFast bool
	// Confirm is of how many findings the scenario is run once more by itself, so that
	// a report can say how a failure is reproduced; 0 for none.
	Confirm int
	// NoPreflight skips the check that the target can be certified at all.
	NoPreflight bool
	// Server is the server under test where whoever runs the suite has started it; nil where it hasn't.
	Server Server
	// Unshrunk leaves programs of campaigns that found something as they were drawn.
	Unshrunk bool
	// Until ends the run early once it returns true for a finding's requirement.
	Until func(requirement string) bool
	// Compare notes how what every scenario exchanged differs from its golden.
	Compare bool
	// Transcripts does so too, and keeps what was exchanged.
	Transcripts bool
	// Record keeps every exchange in the report, so that it can be judged again.
	Record bool
	// Known says, by requirement id, why it is known to fail. What fails, or is
	// only warned of, has the verdict known then.
	Known map[string]string
}

// Progress tells how far a run is.
type Progress struct {
	Done, Total int
	Scenario    report.Scenario
	Findings    []record.Finding
}

// Result is a run: its report, and what the report has no room for.
type Result struct {
	Report *report.Report
	// Transcripts are the recorded exchanges of scenarios, by golden path, with the rows of a file in order. Scenarios are
	// missing that failed, that have no transcript, or whose transcript didn't fit.
	Transcripts map[string]golden.File
	// Broken are the requirements of which anything was found, selected or not.
	Broken []string
	// Counted is how often the judge had something to look at, by requirement; what
	// steps counted isn't in it.
	Counted map[string]int
	// Usual is the 99th percentile of the waits that succeeded. Callers choose deadlines by it.
	Usual time.Duration
}
