// Package mutant is a catalogue of broken servers: each is the reference server with one bug that somebody could ship,
// and names the requirement that the bug breaks.
//
// A suite is as good as the bugs that it finds, so this is what the suite is measured with: a mutant is killed when the
// verdict on its own requirement says so, and a mutant that survives is a hole in the suite.
//
// Mutants are decorators. Each takes the options of the reference server, or its handler, and puts something around
// what is there; the reference server knows nothing of them. The package refuses to judge: it doesn't know what a
// scenario looks at. It imports reference and the standard library.
package mutant
