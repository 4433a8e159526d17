// Package check judges a recording of what a server sent, in constant memory, and writes what it found for people and
// for machines.
//
// It may import runner/pack, runner/judge, runner/wire, runner/report, schemas and spec, and refuses to open a
// connection.
package check
