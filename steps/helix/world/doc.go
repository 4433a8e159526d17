// Package world has the state of a scenario of pack helix: streams with their written events, and clients with their
// received frames. The packages of sentences work on it.
//
// It decides about one requirement only: a client that doesn't receive the expected event fails the scenario.
//
// Files, in reading order: message.go (frames and events), world.go, limits.go, stream.go, client.go, clients.go.
package world
