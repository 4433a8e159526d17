// Package text cuts what agents say into the pieces in which they say it.
//
// It may import the standard library.
package text
