// Package aep is the catalogue of broken servers of the Agent Event Protocol: each is the reference server with one bug
// that somebody could ship, and names the requirement that the bug breaks.
//
// Mutants are decorators, as those of package mutant are: each takes the options of the reference server, or its
// handler, and puts something around what is there. The package refuses to judge: it doesn't know what a scenario looks
// at. It imports reference/aep and the standard library.
package aep
