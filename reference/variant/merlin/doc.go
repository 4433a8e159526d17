// Package merlin is the catalogue of servers of pack merlin that are right but not like the reference, as package variant
// describes them.
package merlin
