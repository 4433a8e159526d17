// Package playground is what the page that judges recordings does, without the page: it judges a recording by
// runner/recording, and tells of it in messages that a page can show, in the order of the recording.
//
// runner/cmd/playground compiles it to WebAssembly. It holds no recording: a page keeps the bytes and is told where in
// them each stretch of lines begins. It needs neither a network nor an operating system, and refuses to be asked anything
// but a recording.
//
// It may import runner/judges, runner/recording, runner/judge, runner/wire, schemas and spec.
package playground
