// Package merlin judges what a client receives of a merlin server, one response at a time, and what a stream added up to.
//
// The version of a stream is that of the route which was asked. Where nobody knows the route, as in a recording, the first
// event that only one version has tells it; what came before isn't judged by version.
//
// It may import runner/judge, runner/record, runner/wire and schemas.
package merlin
