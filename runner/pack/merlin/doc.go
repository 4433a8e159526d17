// Package merlin is pack merlin as one value.
//
// It may import runner/pack and what that may, and the folders of this pack.
package merlin
