// Package text divides the text of agents into pieces.
//
// It may import the standard library.
package text
