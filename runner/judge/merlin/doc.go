// Package merlin judges the responses of a merlin server, one at a time, and the aggregates of streams.
//
// The version of a stream is that of the route of its request. If the route is unknown, as in a recording, the first event
// that only one version has determines it; the events before it aren't judged by version.
//
// It may import runner/judge, runner/record, runner/wire and schemas.
package merlin
