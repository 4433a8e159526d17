// Package aep is the catalogue of broken servers of this protocol: each is the reference server with one bug, as package
// mutant describes it. Files here have the mutants that scenarios find, one for each chapter of the spec. Package
// campaignonly has those that only campaigns find, and package edit the alterations that both use.
//
// # Files, in reading order
//
//   - events.go, wire.go, http.go, requests.go, errors.go: frames, requests and refusals
//   - flow.go, stages.go, content.go, tools.go, done.go: what one answer streams
//   - actions.go, threads.go, cancel.go, security.go: actions, histories, cancellation, owners
//   - durable.go, replicas.go, wholes.go: restarts, several servers, bugs that begin after many requests
//   - mutant.go: the lists
//
// No file uses what a later one declares.
package aep
