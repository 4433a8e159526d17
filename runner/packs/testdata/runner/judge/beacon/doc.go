// Package beacon judges what a watcher receives, one response at a time.
//
// It may import runner/judge, runner/record, runner/wire and schemas.
package beacon
