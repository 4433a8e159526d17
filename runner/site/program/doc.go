// Package program holds the program of the playground: what judges a recording in a browser, as `make judge` builds it
// into the folder built. A build of the kit that was made without it has none.
//
// The program is not committed, because it is what the Go compiler makes of runner/cmd/playground.
package program
