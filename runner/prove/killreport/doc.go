// Package killreport reports which mutants of a catalogue the suite killed: as a JSON document, on a console, and as a matrix
// on a page. A command that reads such a report, as `certify --mutants` does, needs none of the code that breaks servers.
package killreport
