// Package aep holds the words for this protocol's reference server: the places where its mutants and its variants alter
// it, and the conditions and changes that only it has. The places are its events and the bytes of their blocks, the
// deltas and the turns of its agent, requests and refusals, heads, threads, actions and ids. It imports the reference and
// the standard library.
package aep
