// Package alter holds the seams that mutants and variants of every protocol share: how a decorator changes the response
// of a reference server, the blocks of a stream and the JSON in them.
//
// Package reference/mutant says what a mutant is, and reference/variant what a variant is. The seams of one protocol's
// server stand in a package below this one, the catalogues in packages below those two. Nothing here knows a protocol,
// and nothing judges. It imports the standard library.
package alter
