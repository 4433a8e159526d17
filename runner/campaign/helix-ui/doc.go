// Package helixui plays turns of chats: programs that a seed draws, each of some turns, sequential or concurrent, with the
// scripts of their agents and the operations of readers. The model of the pack checks the responses.
//
// It may import runner/campaign, the model and the target of this pack, runner/target, runner/record and runner/wire.
package helixui
