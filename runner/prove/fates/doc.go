// Package fates holds what became of mutants: the report of a run of a catalogue, as a document, on a console and as a matrix
// on a page. Who reads such a report, as `certify --mutants` does, needs none of the code that breaks servers and runs them.
package fates
