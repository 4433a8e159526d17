// Package certifytest sets servers up for tests that certify: the reference with tokens, its mutants, and a config with the
// tokens.
//
// It is for tests only. It may import what a command may, and decides nothing about a result except that all of it passed.
package certifytest
