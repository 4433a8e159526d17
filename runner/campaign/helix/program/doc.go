// Package program has the programs that a campaign plays. A [Program] is a text that people read, paste and send:
// [Program.String] writes it, [Parse] reads it, and a parsed program writes the same text.
//
// It refuses operations on streams that the program doesn't have, and unknown classes of data, ids and cursors.
//
// Files, in reading order: kind.go (kinds of operations), classes.go and ids.go (classes of data, cursors and ids),
// operation.go and text.go (one operation, its parser and its text), program.go.
package program
