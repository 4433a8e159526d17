// Package check judges a recording of a server's output by the rules of a loaded pack, and writes the findings for people
// and for machines. The judging itself is that of runner/recording.
//
// It may import runner/pack, runner/judge, runner/recording, runner/record and runner/report, and refuses to open a
// connection.
package check
