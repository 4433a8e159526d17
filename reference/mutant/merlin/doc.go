// Package merlin is the catalogue of broken servers of pack merlin: each is the reference server with one bug, as package
// mutant describes it. It refuses to know scenarios: a mutant is found by whichever scenario shows its bug.
//
// # Files, in reading order
//
//   - mutant.go: one mutant and its server, and the list of those that scenarios find
//   - wire.go, text.go, chunks.go, sizes.go: the events of a stream, its texts and its slices
//   - progress.go, results.go: steps, calls, results and citations
//   - upstream.go: the model's events, and the aggregate of a stream
//   - campaign_only.go and the other campaign files: what only campaigns find, a subject a file
//
// # Invariants
//
// A mutant breaks its Requirement, and by necessity those of Also; every name is one mutant's. State that a mutant makes
// belongs to one server.
package merlin
