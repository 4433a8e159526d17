// Package playground is the logic of the page that judges recordings: it judges a recording by runner/recording, and
// reports it in messages for a page, in the order of the recording.
//
// runner/cmd/playground compiles it to WebAssembly. It doesn't store the recording: a page keeps the bytes and receives the
// offset of each section of lines. It needs neither a network nor an operating system, and accepts only recordings.
//
// It may import runner/judges, runner/recording, runner/judge, runner/wire, schemas and spec.
package playground
