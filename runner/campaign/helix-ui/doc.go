// Package helixui plays turns of chats: programs that a seed draws, each some turns, one after the other or beside each other,
// with what their agents say and do, and who reads them when. What comes is compared with the model of the pack.
//
// It may import runner/campaign, the model and the target of this pack, runner/target, runner/record and runner/wire.
package helixui
