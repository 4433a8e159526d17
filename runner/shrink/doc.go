// Package shrink searches for the shortest and simplest of what fails: programs of operations, and the disconnects of a client.
//
// It tries whether something shorter fails, as often as it may, and knows nothing else of it. It imports nothing of the kit.
package shrink
