// Package store keeps the ordered log of each stream and hands it to readers.
//
// A stream is a log of chunks in ascending sequence, at most one terminal event at its end, and a status. A
// subscription pulls from the log at the pace of its reader, so that a reader that stalls delays nobody. Notices (a
// change of status, a truncation) are not stored: they go to the subscriptions that are attached when they happen, each
// at its place in the log. Read returns the log as it is at one instant, with the state that the stream began with, which
// the store keeps for others.
//
// It refuses to know what a chunk means: a chunk is its bytes and its step. It knows nothing of HTTP, SSE or schemas, and
// imports the standard library only.
package store
