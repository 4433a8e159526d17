// Package merlin contains the sentences of pack merlin: a stream of a version with a script, its events, and its aggregate.
//
// It may import what package steps may, and the target of this pack.
package merlin
