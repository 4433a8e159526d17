// Package edit changes options and requests of the reference server of helix: it has what mutants of several packages use,
// in addition to package alter/helix, which variants use too. It has no mutants.
//
// A function that begins with On takes a function that changes a value, and returns an alteration of options (on.Apply) or
// of the handler (alter.Around). The state of an alteration is made once for each server.
//
// # Files, in reading order
//
//   - mutant.go: the type
//   - requests.go, cursors.go, snapshots.go: requests of readers and control calls, cursors and stream ids, snapshots
//   - values.go, chunks.go: JSON values, stored chunks and their validation
//   - events.go, store.go: events on their way to a reader, calls to the store
//   - runtime.go: models, tools, and the chunks that a run writes
package edit
