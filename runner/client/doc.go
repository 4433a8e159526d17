// Package client is a client of an event stream as EventSource is one: it attaches, reads, is cut, and resumes after the
// last event that came whole.
//
// A [Request] asks for a stream on a connection of its own, whose close is a cut. An [EventSource] reads one stream over as
// many connections as it takes. [Cuts] is the client of a sweep, whose connections are cut where a plan says; [Each] lets
// many of them read side by side, [Seams] are the places at which a cut is most likely to matter, and [Simplest] makes of a
// failure one that few cuts show. What a connection is made of, a plan of a sweep doesn't ask: certifying reads with those
// of runner/target, which keep a record.
//
// It may import runner/wire, runner/redact, runner/report and runner/shrink, and refuses to judge.
package client
