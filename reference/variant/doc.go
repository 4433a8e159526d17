// Package variant is a catalogue of servers that are right but not like the reference: each is the reference server
// with one freedom used that the protocol leaves, and names the place in the spec that leaves it.
//
// A suite that finds every bug is worth little if it also finds fault with what is none. A variant is accused when any
// verdict on it is worse than it says itself, and then it is the suite that is wrong. Where the freedom is what the
// reference server does anyway, such as relaying chunks of unknown types, there is no variant: certifying the reference
// shows it.
//
// Variants are decorators. Each takes the options of the reference server, or its handler, and puts something around
// what is there; the reference server knows nothing of them. The package refuses to judge: it doesn't know what a
// scenario looks at. It imports reference and the standard library.
package variant
