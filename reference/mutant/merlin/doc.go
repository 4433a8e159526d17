// Package merlin is the catalogue of broken servers of pack merlin: each is the reference server with one bug, as package
// mutant describes it. It refuses to know scenarios: a mutant is found by whichever scenario shows its bug.
//
// # Files, in reading order
//
//   - mutant.go: one mutant and its server
//   - wire.go, text.go, chunks.go: the events of a stream, its texts and its slices
//   - progress.go, results.go: steps, calls, results and citations
//   - upstream.go: the model's events, and the aggregate of a stream
//   - campaign_counts.go, campaign_values.go, campaign_events.go: what only campaigns find
//   - catalogue.go: the lists
//
// # Invariants
//
// A mutant breaks its Requirement, and by necessity those of Also; every name is one mutant's. State that a mutant makes
// belongs to one server.
package merlin
