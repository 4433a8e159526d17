// Package aep contains the extension points of this protocol's reference server at which mutants and variants alter it, and
// the conditions and changes that only it has. The points are its events and the bytes of their blocks, the deltas and the
// turns of its agent, requests and refusals, heads, threads, actions and ids. It imports the reference and the standard
// library.
package aep
