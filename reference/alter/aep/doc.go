// Package aep holds the seams of this protocol's reference server that its mutants and its variants share: its events,
// the bytes of their blocks and the deltas of its agent. It imports the reference and the standard library.
package aep
