// Package helix is the vocabulary of pack helix: sentences about streams, the
// writers that write to them, the clients that read them, and runs on the server's
// own runtime.
//
// Only package target knows routes and headers. The package never imports net/http
// and never the reference server.
package helix
