// Package golden reads, writes, normalises and compares transcripts: text files that show, mainly for people, the requests
// of a client and the responses, in the order of the wire. FORMAT.md describes the text.
//
// A pack defines in which parts its servers may differ: [Freedoms] normalise and compare.
//
// It refuses to judge: it reports that two transcripts differ and where, never that a server is wrong. It refuses to guess:
// text that Format would not have written does not parse. It makes no requests and knows no clock.
//
// It may import the standard library, go-cmp and schemas/jsontext.
package golden
