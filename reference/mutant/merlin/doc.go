// Package merlin is the catalogue of broken servers of pack merlin, as package mutant describes them.
package merlin
