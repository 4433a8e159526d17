// Package campaignonly has the mutants of aep that only campaigns find: no scenario is made for them, because they err at a
// size, a number, a text or a combination of requests that the spec doesn't single out.
//
// # Files, in reading order
//
//   - alterations.go: how mutants change values, texts, calls and histories
//   - values.go, content.go, names.go: values and texts, blocks and ends of responses, names and texts that are stored
//   - threads.go, crashes.go: histories, restarts and queues
//   - actions.go, result_batches.go: refused requests, actions and their results
//   - requests.go: requests that are alike, at once or interrupted
//   - connections.go, amounts.go: connections, credentials, replicas, time limits, sizes and numbers
//   - holdout.go, mutants.go: the names of the holdout, the list
//
// No file uses what a later one declares.
//
// Invariants: a mutant names the requirement that it breaks; no scenario finds it; a name of the holdout is a name of the list.
package campaignonly
