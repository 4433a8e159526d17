// Package variant defines a variant: a correct reference server that differs from the reference, because it uses one
// freedom that the protocol leaves. Each protocol's variants are a catalogue in a package below this one.
//
// A suite that finds every bug is worth little if it also finds fault with a correct server. The suite accuses a variant
// when any verdict on it is worse than the variant itself declares, and then the suite is wrong. If the reference server
// uses a freedom anyway, such as relaying chunks of unknown types, there is no variant: certifying the reference shows it.
//
// Variants are decorators. Each takes the options of the reference server, or its handler, and wraps them; the reference
// server knows nothing of variants. The catalogues refuse to judge: they are independent of what scenarios check. They
// import the reference, the extension points of package alter and the standard library.
package variant
