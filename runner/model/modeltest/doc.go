// Package modeltest holds what the tests of all models share.
//
// It may import the standard library and go-cmp.
package modeltest
