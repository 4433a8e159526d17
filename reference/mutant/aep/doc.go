// Package aep is the catalogue of broken servers of this protocol: each is the reference server with one bug, as package
// mutant describes it. A file holds the mutants of one chapter of the spec, or the seams that they share.
package aep
