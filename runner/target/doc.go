// Package target is the system under test: where it listens, which routes it
// has, which secrets its requests carry, how long to wait for it,
// and which requests and responses were exchanged.
//
// A [Target] is made once from a [Config], which a [Format] reads: the keys that
// every target has, and the [Section] of each pack. A pack brings the [Route]s of
// its requests and the users that it needs; this package knows none by name.
//
// Requests to a target are made in sessions. Each scenario takes a [Session] from
// it, and everything that the scenario exchanges with the server — readers of a
// stream, documents, control calls — is recorded in that session in the order in
// which it began. The package hides the transport: callers say "resume after
// this cursor", and only this package knows the route, the header and the token.
//
// It judges nothing. A time-out, a reset or a refusal is reported as it
// happened, as an error of its type, and the caller decides
// which rule that breaks.
//
// It may import target/config, wire, record, golden and schemas of this module.
package target
