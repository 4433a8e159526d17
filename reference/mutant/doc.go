// Package mutant defines mutants: a mutant is a reference server with one bug that a developer could ship, and the
// requirement that the bug violates. Each protocol's mutants are a catalogue in a package below this one.
//
// A suite is as good as the bugs that it finds, so the mutants measure the suite: it kills a mutant when the verdict on the
// requirement that the mutant names is a violation, and a mutant that survives is a hole in the suite.
//
// Mutants are decorators. Each takes the options of the reference server, or its handler, and wraps something of it; the
// reference server knows nothing of them. The catalogues refuse to judge: they don't know what a scenario checks. They
// import the reference, the extension points of package alter and the standard library.
package mutant
