// Package recording judges a recording of a server's output, in constant memory: the body of an event stream, or the data
// of its frames as one JSON document a line.
//
// [Load] reads the rules of a pack, [Recognise] determines the pack of a recording, and [Run] judges it, with a callback
// for every finding. The package needs neither a network nor an operating system, so that it judges in a browser as it does
// in a terminal. Readable output is left to runner/check and runner/site.
//
// It may import runner/judge, runner/record, runner/wire, schemas and spec.
package recording
