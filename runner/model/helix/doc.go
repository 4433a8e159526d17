// Package helix lists the requirements of pack helix that its executable model covers. The model has three packages:
//
//   - stream: what the readers of a stream must receive, and what StreamInfo and snapshots must say of it
//   - run: what the runs of a session on the server's own runtime must emit and do
//   - document: comparing snapshots and JSON values, which both need
//
// Freedom of the spec is non-determinism of the model: gaps in the sequences, a response that is closed during a pause or
// after a truncation, a second status frame and chunks that are withheld during a pause are all right, and so is what is
// only recommended.
//
// The model knows no connection and no clock. It may import the standard library, schemas, runner/model and runner/patch
// of this module and a checker of linearizability.
package helix
