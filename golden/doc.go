// Package golden reads, writes, normalises and compares transcripts: text files that show, for people first, what a
// client asked and what came back, in the order of the wire. FORMAT.md describes the text.
//
// What a server is free in is its pack's to say: [Freedoms] normalise and compare.
//
// It refuses to judge: it says that two transcripts differ and where, never that a server is wrong. It refuses to
// guess: text that Format would not have written does not parse. It makes no requests and knows no clock.
//
// It may import the standard library, go-cmp and schemas/jsontext.
package golden
