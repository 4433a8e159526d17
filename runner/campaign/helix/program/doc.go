// Package program has the programs that a campaign plays. A [Program] is a text that people read, paste and send:
// [Program.String] writes it, [Parse] reads it, and a parsed program writes the same text.
//
// It refuses operations on streams that the program doesn't have, and unknown classes of data, ids and cursors.
//
// Files, in reading order: kind.go (kinds of operations), classes.go, ids.go and cursors.go (classes of data, ids and
// cursors), operation.go and operation_race.go (one operation), program.go.
package program
