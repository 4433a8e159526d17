// Package generated makes broken responses by rule instead of by hand, and counts how many of them are found: every member
// that a schema names is dropped, given another type and taken out of its bounds in every valid example, and every frame
// and head of the golden transcripts is dropped, repeated, swapped, truncated, corrupted and renumbered.
//
// A change that the specification allows is no mutant. It is excluded before anything is measured, by a named rule that
// cites its allowance, never because it wasn't found; the exclusions are counted.
//
// The package starts no server and doesn't wait: it judges bytes, the same ones each time. It may import runner/judge,
// runner/record, runner/wire, schemas, golden and the standard library.
package generated
