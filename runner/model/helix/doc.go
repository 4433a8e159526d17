// Package helix lists the requirements of pack helix that its executable model covers. The model has three packages:
//
//   - stream: the frames that readers of a stream must receive, and the contents of StreamInfo and snapshots
//   - run: the chunks and calls of the runs of a session on the server's runtime
//   - document: comparing snapshots and JSON values, which both need
//
// An allowance of the spec is a non-determinism of the model: it accepts gaps in the sequences, a response that is closed
// during a pause or after a truncation, a second status frame, chunks that are withheld during a pause, and servers that
// don't follow recommendations.
//
// The model knows no connection and no clock. It may import the standard library, schemas, runner/model and runner/patch of
// this module and a checker of linearizability.
package helix
