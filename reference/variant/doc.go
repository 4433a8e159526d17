// Package variant says what a variant is: a reference server that is right but not like the reference, because it uses
// one freedom that the protocol leaves. Each protocol's variants are a catalogue in a package below this one.
//
// A suite that finds every bug is worth little if it also finds fault with a correct server. The suite accuses a variant
// when any verdict on it is worse than the variant itself says, and then the suite is wrong. Where the reference server
// uses a freedom anyway, such as relaying chunks of unknown types, there is no variant: certifying the reference shows
// it.
//
// Variants are decorators. Each takes the options of the reference server, or its handler, and puts something around
// what is there; the reference server knows nothing of them. The catalogues refuse to judge: they don't know what a
// scenario looks at. They import the reference, the seams of package alter and the standard library.
package variant
