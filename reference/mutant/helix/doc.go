// Package helix is the catalogue of broken servers of this protocol: each is the reference server with one bug, as package
// mutant describes it. Its lists come from the packages below:
//
//   - edit: how a mutant changes a server; what several packages use
//   - stream, run: the mutants that scenarios find, one file for each chapter of the spec or subject of it
//   - campaignonly: those that only campaigns find, and the names of the holdout
//
// Imports lead from this package to those, and from each of those to edit only.
package helix
