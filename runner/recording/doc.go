// Package recording judges a recording of what a server sent, in constant memory: the body of an event stream, or the
// data of its frames as one JSON document a line.
//
// [Load] reads the rules of a pack, [Recognise] says of which pack a recording is, and [Run] judges it, calling back for
// every finding. The package needs neither a network nor an operating system, so that it judges in a browser as it does
// in a terminal. It refuses to write for people: runner/check and runner/site do.
//
// It may import runner/judge, runner/record, runner/wire, schemas and spec.
package recording
