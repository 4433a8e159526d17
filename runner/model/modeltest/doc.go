// Package modeltest contains the common part of the tests of all models.
//
// It may import the standard library and go-cmp.
package modeltest
