// Package golden reads, writes, normalises and compares transcripts: text files that show, mainly for people, the requests
// of a client and the responses, in the order of the wire. FORMAT.md describes the text.
//
// A pack defines in which parts its servers may differ: [Freedoms] normalise and compare.
//
// It refuses to judge: it reports that two transcripts differ and where, never that a server is wrong. It refuses to guess:
// text that Format would not have written does not parse. It makes no requests and knows no clock.
//
// It may import the standard library, go-cmp and schemas/jsontext.
//
// # Files, in reading order
//
//   - golden.go, format.go, parse.go, escape.go: transcripts and their text
//   - block.go, value.go, stamps.go, bindings.go, normalise.go: frames, values, times, ids, and their placeholders
//   - freedoms.go, compare.go, compare_frames.go, compare_values.go: comparing with a golden
//   - diff.go, fold.go, update.go: showing differences, and writing goldens anew
//
// Invariants: Parse and Format are inverse to one another; Normalise of a normalised transcript changes nothing.
package golden
