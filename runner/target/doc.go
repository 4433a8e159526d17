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
//
// # Files, in reading order
//
//   - config.go, config_model.go, config_server.go, format.go, section.go, settings.go: the config and its sections
//   - target.go, session.go, belongings.go, name.go, epoch.go, book.go: targets, sessions, and what belongs to one
//   - door.go, away.go, courier.go, conns.go, early.go, buffer_unix.go, buffer_windows.go, bulk.go: admission,
//     dialling, connections
//   - exchange.go, stream_request.go, read_request.go, reader.go, unary.go, snapshot.go, removal.go: requests and their exchanges
//   - disconnect.go, gzip.go, limits.go, budget.go: bodies, and how much of them is stored
//   - waiting.go, adaptive_timeout.go, strain.go, deadline.go: how long to wait
//   - replica.go, program.go: servers over one store, and kills
//   - redact.go, render.go: secrets, transcripts
//
// Invariants: an exchange is in the record of exactly one session, in the order in which it began; a wait ends at its
// deadline, at the end of the scenario or with the context, whichever comes first; no secret leaves the package unredacted
// but in a request.
package target
