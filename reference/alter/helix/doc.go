// Package helix contains the extension points of this protocol's reference server at which mutants and variants alter it,
// and the conditions and changes that only it has. The points are the chunks that runs write, the events that readers
// receive and the bytes of their blocks, the store, the logs of snapshots, and the ports of its runtime. It imports the
// reference and the standard library.
package helix
