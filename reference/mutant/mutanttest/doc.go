// Package mutanttest holds what is asked of the catalogue of mutants of every pack. Only tests import it.
package mutanttest
