// Package campaign is what the campaigns of all packs share: how much of them is played, the draw of sizes and of data,
// what ends a program, and whether one that is shrunk still fails.
//
// A campaign plays programs of operations that a seed draws, and compares what it receives with a model of the pack's
// spec. The operations are the pack's own; their type is a parameter here. The same seed draws the same programs.
//
// It may import record, target and runner/model.
package campaign
