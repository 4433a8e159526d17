// Package helix is the vocabulary of pack helix: sentences about streams, the writers that write to them, the clients
// that read them, and runs on the server's runtime. It joins the packages of sentences below it (streams, run,
// snapshot, sweep), which share the state of package world, and has a failing fixture for each Then.
//
// Only package target knows routes and headers. The packages never import net/http and never the reference server.
package helix
