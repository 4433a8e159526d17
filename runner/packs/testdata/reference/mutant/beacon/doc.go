// Package beacon is the catalogue of broken servers of this pack, as package mutant describes them.
package beacon
