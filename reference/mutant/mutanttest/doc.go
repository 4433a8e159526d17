// Package mutanttest contains the tests that the catalogue of mutants of every pack has to pass. Only tests import it.
package mutanttest
