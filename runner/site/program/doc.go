// Package program contains the program of the playground, which judges recordings in a browser, as `make judge` builds it
// into the folder built. A build of the kit without that step has none.
//
// The program is not committed, because it is compiled from runner/cmd/playground.
package program
