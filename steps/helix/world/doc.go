// Package world has the state of a scenario of pack helix: streams and what was written to them, clients and what they
// received. The packages of sentences work on it.
//
// It decides nothing about requirements, but that a client which doesn't get the event that it waits for fails the scenario.
//
// Files, in reading order: message.go (frames and events), world.go, limits.go, stream.go, client.go, clients.go.
package world
