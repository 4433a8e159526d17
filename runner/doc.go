// Package runner is what a Go program imports to certify a server: [Test] does it as a part of go test, and [Run]
// without.
//
// The work is done by the packages below: runner/certify runs scenarios and gives verdicts, runner/check judges a
// recording and runner/observe a live stream, runner/probe says what a server offers, runner/explain what the kit
// knows about a requirement, runner/lint whether its parts belong together, and runner/prove whether the suite finds
// broken servers out and leaves right ones alone. None of them knows a protocol: each takes a pack, one value of
// runner/pack, and none imports the reference server, which a command hands over as data.
//
// To add a pack:
//
//  1. Write spec/<pack>, schemas/<pack> with its pack.json, and features/<pack>.
//     The folders embed themselves. Write steps/<pack>: Vocabulary makes the
//     sentences of its features, Pairs a pair of worlds for every Then.
//  2. Write runner/judge/<pack>: New makes a judge.Machine of one response,
//     JudgeAnswer judges a refusal, Requirements lists the ids.
//  3. Write runner/target/<pack>, its section of a config and its routes, and
//     runner/pack/<pack>, whose Pack says all of it in one value; add its
//     line to runner/packs. A preflight, the routes of a probe, how its streams are
//     recognised and resume, what its goldens leave to a server and the shape of
//     its documents belong to it, but a pack works without.
//  4. Write reference/<pack>, and its mutants, variants and idle servers, and add their lines
//     to runner/cmd/streamcert/servers.go.
//  5. Run `streamcert lint`, which says what is missing, then `streamcert golden`.
//
// The tests of runner/pack do the first three with a pack that exists there alone, in the words of another.
//
// It may import what certifying takes, and refuses to hold anything that those who import it don't need.
package runner
