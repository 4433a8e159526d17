// Package helix holds the words for this protocol's reference server: the places where its mutants and its variants alter
// it, and the conditions and changes that only it has. The places are the chunks that runs write, the events that readers
// are served with and the bytes of their blocks, the store, the logs of snapshots, and the ports of its runtime. It
// imports the reference and the standard library.
package helix
