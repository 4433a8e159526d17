package report_test

import (
	"fmt"
	"os"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

func Example() {
	r := &report.Report{
		Suite:  report.Suite{Name: "streamcert", Version: "0.1.0", Pack: "helix", Digest: "sha256:0123", Seed: 7},
		Target: report.Target{URL: "http://127.0.0.1:8080"},
		Requirements: []report.Requirement{{
			ID: "helix.wire.json", Level: "MUST", Chapter: "wire", Sentence: "A server MUST send exactly one JSON value as the data of an event.",
			Location: "spec/helix/4-wire.md:30", Verdict: report.Fail, Occasions: 1,
			Findings: []record.Finding{{Message: "the JSON ends at byte 1", Got: "{\x1b[2J"}},
		}},
	}
	r.Count()
	if err := (report.Console{}).Write(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// streamcert 0.1.0 · pack helix · http://127.0.0.1:8080 · seed 7
	// suite sha256:0123
	//
	//   chapter  pass  fail
	//   wire        ·     1
	//
	// FAIL  helix.wire.json (MUST)
	//       A server MUST send exactly one JSON value as the data of an event.
	//     ———
	//     the JSON ends at byte 1
	//     got    {\x1b[2J
	//     read   streamcert explain helix.wire.json, or https://streamcert.github.io/streamcert/helix/wire.html#helix.wire.json
	//
	// FAIL  0 pass, 1 fail, 0 warn, 0 not claimed, 0 unprovable, 0 known, 0 error · 0 scenarios in 0.0 s · seed 7
}
