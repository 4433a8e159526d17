// Package model is the common part of the models of all packs: how they report a violation, and how they count their
// checks.
//
// It may import the standard library.
package model
