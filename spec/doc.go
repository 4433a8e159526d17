// Package spec contains the normative text of every protocol and reads it as data: one [Requirement] for each
// block of a chapter, with its id, level, sentence, capabilities, tier, role, origin and position.
//
// A block is a heading of level four that is the id, a quotation that is the sentence, and a line of code spans
// that are the attributes. What follows, up to the next heading, is prose and explains why:
//
//	#### <pack>.resume.query
//	> A server MUST read `fromSequence=N` as it reads `Last-Event-ID: N`.
//
//	`capability: resume` · `tier: scripted` · `origin: H-RES-02`
//
//	A browser cannot set a header on its first connection, so …
//
// [Load] is strict and total: whatever is wrong with the text comes back as a [Problem] with file and line, and
// the remainder of the book is still read. It does not check more than the text: which scenario, schema or
// mutant carries an id is the business of lint. It never writes, and knows no protocol by name.
//
// It may import the standard library and goldmark.
package spec
