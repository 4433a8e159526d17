// Package helix binds a store of streams to HTTP: it serves streams as server-sent events and takes the control calls
// that provoke them in tests.
//
//	GET  /streams/{stream}/events    the events of a stream, from the start or after a cursor
//	GET  /streams/{stream}           what the stream is: status, latestSequence, chunkCount
//	POST /control/streams/{stream}/… writers, chunks, end, fail, status, cleanup, reset
//
// It refuses to route by anything but the escaped path: each segment is decoded once, and a stream id is whatever comes
// out, so that an id with a slash, two dots or a line feed names that stream and no other. It never decodes and encodes a
// chunk again: what a writer wrote is what a reader gets, less the white space between tokens.
//
// Everything it does on the way from a request to a frame is a field of Options, so that a decorator can do it
// differently. It imports store and the standard library.
package helix
