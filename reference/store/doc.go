// Package store stores the ordered log of each stream and delivers it to readers.
//
// A stream is a log of chunks in ascending sequence, at most one terminal event at its end, and a status. A subscription
// pulls from the log at the pace of its reader, so that a stalled reader delays no other. Notices (a change of status, a
// truncation) are not stored: they go to the subscriptions that are attached when they happen, each at its position in the
// log. Read returns the log at one instant, with the stream's initial state, which the store doesn't interpret.
//
// It refuses to know the meaning of a chunk: a chunk is its bytes and its step. It knows nothing of HTTP, SSE or schemas,
// and imports the standard library only.
package store
