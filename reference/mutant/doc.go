// Package mutant says what a mutant is: a reference server with one bug that somebody could ship, together with the
// requirement that the bug breaks. Each protocol's mutants are a catalogue in a package below this one.
//
// A suite is as good as the bugs that it finds, so the mutants measure the suite: it kills a mutant when the verdict on
// the mutant's own requirement says so, and a mutant that survives is a hole in the suite.
//
// Mutants are decorators. Each takes the options of the reference server, or its handler, and puts something around
// what is there; the reference server knows nothing of them. The catalogues refuse to judge: they don't know what a
// scenario looks at. They import the reference, the seams of package alter and the standard library.
package mutant
