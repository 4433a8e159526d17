// Package connection connects to a server under test: it tries again where the server's backlog is full, reads an answer that
// comes before the request's body was sent, and ends connections without a trace in the system. It knows no route, no secret
// and no scenario.
package connection
