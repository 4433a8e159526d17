// Package shrink looks for the shortest and simplest of what fails: programs of operations, and the cuts of a client.
//
// It asks whether something shorter fails, as often as it may, and knows nothing else of it. It imports nothing of the kit.
package shrink
