// Package aep is the catalogue of correct servers of this protocol that differ from the reference: each uses one freedom,
// as package variant describes it. It refuses to break a MUST: a variant that doesn't follow a SHOULD names it in Warns.
//
// # Files, in reading order
//
//   - variant.go, extension_points.go: one variant and its server, and what several files use
//   - wire.go, messages.go, members.go, blocks.go, tools.go, letter.go: the events of a response
//   - turns.go, actions.go, memory.go, refusals.go, timing.go: threads, actions, stores, refusals, moments
//   - guesses.go: choices where the sources leave one to implementers
//   - catalogue.go: the list
package aep
