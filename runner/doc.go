// Package runner is the package that a Go program imports to certify a server: [Test] does it as a part of go test, and
// [Run] without.
//
// The work is done by the packages below: runner/certify runs scenarios and gives verdicts, runner/check judges a recording
// and runner/observe a live stream, runner/probe finds the routes of a server, runner/explain collects the kit's knowledge
// about a requirement, runner/lint checks the consistency of the kit, and runner/prove checks that the suite finds broken
// servers and passes correct ones. None of them knows a protocol: each takes a pack, one value of runner/pack, and none
// imports the reference server, which a command passes as data.
//
// runner/packs/testdata contains a pack that is not part of this build, as an example.
//
// It may import what certifying takes, and contains only what its importers need.
package runner
