// Package runner is what a Go program imports to certify a server: [Test] does it as a part of go test, and [Run]
// without.
//
// The work is done by the packages below: runner/certify runs scenarios and gives verdicts, runner/check judges a
// recording and runner/observe a live stream, runner/probe says what a server offers, runner/explain what the kit
// knows about a requirement, runner/lint whether its parts belong together, and runner/prove whether the suite finds
// broken servers out and leaves right ones alone. None of them knows a protocol: each takes a pack, one value of
// runner/pack, and none imports the reference server, which a command hands over as data.
//
// runner/packs/testdata has a pack that is no part of this build, and tells how to add one.
//
// It may import what certifying takes, and refuses to hold anything that those who import it don't need.
package runner
