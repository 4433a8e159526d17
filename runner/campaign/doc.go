// Package campaign is the common part of the campaigns of all packs: how many programs are played, the draw of sizes and of
// data, the ends of a program, and whether a shrunk one still fails.
//
// A campaign plays programs of operations that a seed draws, and compares the responses with a model of the pack's spec.
// Each pack has different operations; their type is a parameter here. The same seed draws the same programs.
//
// It may import record, target and runner/model.
package campaign
