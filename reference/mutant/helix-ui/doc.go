// Package helixui is the catalogue of broken servers of pack helix-ui, as package mutant describes them.
package helixui
