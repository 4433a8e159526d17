// Package beacon is the catalogue of servers of this pack that are right but not like the reference, as package variant
// describes them.
package beacon
