// Package aep is the catalogue of correct servers of this protocol that differ from the reference: each uses one freedom,
// as package variant describes it. A file contains the variants of one subject, or the extension points that they share.
package aep
