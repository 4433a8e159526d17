// Package helixui is the catalogue of broken servers of pack helix-ui: each is the reference server with one bug, as package
// mutant describes it. It refuses to know scenarios: a mutant is found by whichever scenario shows its bug.
//
// # Files, in reading order
//
//   - mutant.go: one mutant and its server
//   - wire.go, parts.go, flow.go, content.go, tools.go: the parts of one response
//   - mapping.go: parts of other chunks of the agent
//   - resume.go, moments.go, history.go, security.go: responses that are read again, histories, who may read
//   - campaign_values.go, campaign_counts.go, campaign_histories.go: what only campaigns find
//   - catalogue.go: the lists
//
// # Invariants
//
// A mutant breaks its Requirement, and by necessity those of Also; every name is one mutant's. State that a mutant makes
// belongs to one server.
package helixui
