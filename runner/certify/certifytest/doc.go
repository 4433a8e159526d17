// Package certifytest sets servers up for tests that certify: the reference with tokens, its mutants, and the config
// that knows the tokens.
//
// It is for tests only. It may import what a command may, and refuses to decide anything about a result but that all
// of it passed.
package certifytest
