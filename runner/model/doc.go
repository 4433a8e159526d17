// Package model is what the models of all packs share: how they say that a rule was broken, and how they count what they
// looked at.
//
// It may import the standard library.
package model
