// Package stream is the executable spec of a stream of pack helix: the chapters on lifecycle, ordering, resume, truncation
// and status, and the rules of chunks, security and snapshots on a stream.
//
// The caller reports to a [Stream] each call that the server has accepted, and to a [Reader] each frame that it received. A
// method that returns an error has found a violation: a *model.Violation with the violated requirement. Each check is
// counted in the occasion counts, so that a caller knows the requirements that a campaign has checked.
//
// Calls that clients made at the same time are reported as a [Race], with everything that is stored after it: there must be
// an order in which each was answered as it was. [Sequential] decides that for a log alone.
//
// On a stream that the server's runtime writes ([Stream.Produce]), one reader shows the frames that the others must receive
// ([Stream.Observe]); the chunks that a run must write are known to package run.
//
// It refuses nothing that the spec allows: see package helix above. It doesn't check headers, heartbeats and the fields of
// chunks that no schema knows: those are for the judge.
//
// # Files, in reading order
//
//   - frame_cache.go, log.go, status.go, frame.go: chunks and their ids; decoded frames
//   - notices.go, restart.go, finish.go: status and truncated frames, what outlives a restart, terminal frames
//   - stream.go: the calls to a stream
//   - position.go, info.go, snapshot.go, produced.go: cursors, StreamInfo, snapshots, streams of runs
//   - reader.go, take.go: the frames that a reader must receive, and those that it received
//   - race.go, race_kill.go, race_order.go, race_settle.go, sequential.go: concurrent calls
//
// No file uses the declarations of a later one. The invariants stand with the fields of [Stream], [Reader], [Race],
// chunkLog, notices and finish.
package stream
