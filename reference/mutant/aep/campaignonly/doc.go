// Package campaignonly has the mutants of aep that only campaigns find: no scenario is made for them, because they err at a
// size, a number, a text or a combination of requests that the spec doesn't single out.
//
// # Files, in reading order
//
//   - alterations.go: how mutants change values, texts, calls and histories
//   - values.go, content.go, names.go, similar_values.go, request_forms.go: values, blocks, names, forms of a request
//   - text_patterns.go, formatters.go, stored_texts.go, surrogate_halves.go: texts
//   - threads.go, crashes.go, loading.go, replicas.go: histories, restarts, several servers
//   - refusals.go, actions.go, result_batches.go: refused requests, actions and their results
//   - endings.go, interrupted_requests.go, disconnects.go, cancellations.go: requests that end early
//   - repetition.go, retries.go, similar_requests.go: equal requests, repeated ones, similar ones
//   - parallel_requests.go, queues.go, timeouts.go: several requests of a thread
//   - connections.go, table_limits.go, amounts.go, sizes.go: connections, credentials, sizes and numbers
//   - holdout.go, mutants.go: the names of the holdout, the list
//
// No file uses what a later one declares.
package campaignonly
