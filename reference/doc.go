// Package reference is the server that the suite is proven on: a stream service in memory, as an http.Handler.
//
// It is written to be read. An implementer finds here how each rule can be kept, in the order of the wire: package helix
// routes a request, store keeps the log and hands it out, and an encoder makes frames of it. Whoever needs a server that
// keeps one rule differently, or breaks it, replaces a field of Options by a decorator of what Defaults put there; the
// server itself has no such cases.
//
// It refuses to be a product: it keeps everything in memory, has no users, and its control calls let anyone with the
// token do anything. Of the kit it imports schemas and nothing else, so that no bug of a shared encoder or decoder can
// cancel itself out between the server and its judge.
package reference
