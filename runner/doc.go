// Package runner is the package that a Go program imports to certify a server: [Test] does it as a part of go test, and
// [Run] without.
//
// The work is done by the packages below: runner/certify runs scenarios and gives verdicts, runner/check judges a recording
// and runner/observe a live stream, runner/probe finds the routes of a server, runner/explain collects the kit's knowledge
// about a requirement, runner/lint checks the consistency of the kit, and runner/prove checks that the suite finds broken
// servers and passes correct ones. None of them knows a protocol: each takes a pack, one value of runner/pack, and none
// imports the reference server, which a command passes as data.
//
// # From a byte to a verdict
//
//   - target/reader.go reads the body of a response; wire/reader.go cuts it into frames, each with its bytes and its time.
//   - target/exchange.go stores the frames with the request, and wakes the steps that wait for them.
//   - certify/turn.go plays a scenario through godog. Its steps (steps/<pack>) take frames with Reader.Next, and a step that
//     meets another frame than it expects returns a failure (steps/outcome.go).
//   - steps/<pack>/campaign.go plays a drawn history; runner/campaign/<pack> makes its calls and reads, and
//     runner/model/<pack> compares what was received with what a server may send.
//   - certify/turn.go passes the exchanges of the scenario to the judge: judge/judge.go takes them frame by frame through the
//     machine of the pack (judge/<pack>/machine.go) and returns findings, and how often each requirement was checked.
//   - certify/confirm.go plays a scenario that failed once more, alone; runner/shrink shortens a history.
//   - certify/verdict.go makes a verdict of the findings of each requirement; report/cause.go and report/evidence.go order
//     them by what explains most, and report/console.go, html.go, markdown.go, junit.go and json.go write them.
//
// # From a block of the specification to a line of a report
//
//   - spec/document.go and spec/block.go read a chapter into requirements: id, sentence, level, capabilities, tier.
//   - features/<pack> has a Rule for each requirement that a scenario proves, with its id as the tag; package features reads
//     them, and schemas/<pack> names ids where a shape is a rule.
//   - pack/<pack> joins spec, schemas, scenarios, judge and steps to one value; certify/plan.go selects from it what a run
//     plays.
//   - the finding that a step or the judge returns carries the id of the requirement; certify/verdict.go adds its sentence,
//     which the report shows above the finding.
//   - explain/explain.go goes the way back: from an id to the sentence, the scenarios, the schemas, the broken servers, and
//     the lines of the reference, the judge, the model and the campaigns.
//
// runner/packs/testdata contains a pack that is not part of this build, as an example.
//
// It may import what certifying takes, and contains only what its importers need.
package runner
