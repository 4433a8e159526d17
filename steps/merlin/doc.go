// Package merlin holds the sentences that only pack merlin says: a stream of a version with a script, what it sends, and what
// it added up to.
//
// It may import what package steps may, and the target of this pack.
package merlin
