// Package client is a client of an event stream that behaves as EventSource: it attaches, reads, is disconnected, and
// resumes after the last event that was complete.
//
// A [Request] requests a stream on a new connection, which it closes to disconnect. An [EventSource] reads one stream over
// as many connections as necessary. [Cuts] is the client of a sweep, whose connections are closed by a plan; [Each] lets
// many of them read concurrently, [SplitPoints] are the positions at which a disconnect is most likely to cause errors, and
// [Simplest] reduces a failure to one with few disconnects. A plan is independent of the connections: certifying uses those
// of runner/target, which record.
//
// It may import runner/wire, runner/redact, runner/report and runner/shrink, and refuses to judge.
package client
