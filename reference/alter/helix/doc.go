// Package helix holds the seams of this protocol's reference server that its mutants and its variants share: the ports
// of its runtime, the subscriptions of its readers and the bytes of its blocks. It imports the reference and the
// standard library.
package helix
