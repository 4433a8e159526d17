// Package servers contains the data that a command needs to start the servers of a pack: the reference, and the altered
// ones of its catalogues. A [Pack] is a value, so that commands know no pack by name; each pack makes one in the
// folder of its name below this one.
//
// It may import the reference, runner/prove/listed and runner/target. It refuses to listen on a socket and to judge.
package servers
