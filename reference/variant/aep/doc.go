// Package aep is the catalogue of servers of this protocol that are right but not like the reference: each uses one
// freedom, as package variant describes it. A file holds the variants of one subject, or the seams that they share.
package aep
