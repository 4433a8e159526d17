// Package run has the sentences of pack helix on runs on the server's runtime: starting and steering them, and
// comparing the chunks that they produced.
//
// Files, in reading order: run.go (the run and its calls), produced.go and absence.go (reading and comparing chunks),
// fold.go (sums of chunks), agent.go and state_list.go (by agent), table.go and errors.go.
package run
