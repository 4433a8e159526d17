// Package helixui is the catalogue of correct servers of pack helix-ui that differ from the reference, as package variant
// describes them.
package helixui
