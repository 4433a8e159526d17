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
// It may import target/config, target/connection, wire, record, golden and schemas of this module.
//
// # Files, in reading order
//
//   - program.go, section.go, limits.go, config_server.go, config_model.go, config.go, redact.go, settings.go, format.go: the
//     config and its sections
//   - errors.go, broken.go: the errors of this package, and classes of errors of connections
//   - naming.go, routes.go, users.go, traffic.go, replica.go, strain.go, adaptive_timeout.go: parts of a target, with the
//     state of each
//   - target.go: targets. Package target/connection makes their connections
//   - exchange.go: one request and the received part of its answer
//   - belongings.go, book.go, budget.go, deadline.go, alarm.go, turn.go, provocation.go: parts of a session
//   - session.go, kill.go, away.go: sessions, kills of the server, and a server that is gone
//   - waiting.go, retry.go: waits for an answer, and requests that a busy server refused
//   - unary.go, control.go, documents.go: requests that are answered with a document
//   - gzip.go, disconnect.go, reader.go, attach.go, reading.go: requests that are answered with a stream
//   - close.go: the end of a session
//
// Package target/transcript shows exchanges to people.
//
// Invariants: an exchange is in the record of exactly one session, in the order in which it began; a wait ends at its
// deadline, at the end of the scenario or with the context, whichever comes first; no secret leaves the package unredacted
// but in a request.
package target
