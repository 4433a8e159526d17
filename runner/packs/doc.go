// Package packs is the list of the protocols that this build certifies, one line each.
//
// It may import runner/pack and the packages below it, and refuses to know anything of a pack but its value.
package packs
