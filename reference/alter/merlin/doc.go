// Package merlin contains the extension points and conditions for mutants and variants of pack merlin, in addition to those
// of package alter.
//
// It may import the reference server and package alter.
package merlin
