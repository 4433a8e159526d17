// Package beacon holds the sentences that only this pack says.
//
// It may import what steps may, and the target of this pack.
package beacon
