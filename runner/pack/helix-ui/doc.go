// Package helixui is the value of pack helix-ui: a message to a chat, answered by a UI message stream.
//
// It may import runner/pack, golden, the judge and the steps of the pack, runner/judge, runner/target and runner/wire, and refuses
// to judge.
package helixui
