// Package aep is the catalogue of servers of the Agent Event Protocol that are right but not like the reference: each
// is the reference server with one freedom used that the protocol leaves, and names the place in the spec that leaves
// it.
//
// Variants are decorators, as those of package variant are: each takes the options of the reference server, or its
// handler, and puts something around what is there. The package refuses to judge: it doesn't know what a scenario looks
// at. It imports reference/aep and the standard library.
package aep
