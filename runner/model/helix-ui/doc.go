// Package helixui is the spec of this protocol's streams, executable: what the acts of a script become as the parts of an
// answer, what a reader gets that comes back, what a page shows that is refreshed, and what the history of a chat tells.
//
// A [Turn] is told the script that a client sends, and each part that came. What no transition of the model explains is a
// [Breach], which names the requirement that forbids it; what is explained counts an occasion of it. Freedom of the spec is
// non-determinism of the model: deltas may be cut anywhere, thoughts may be hidden, all of them or none, outputs may be said
// before they are whole, failures may be masked or break the connection, and parts of the application's own may stand
// between all others. What the judge of the pack sees in one response, the model leaves to it.
//
// The model knows no connection and no clock. It may import runner/model.
package helixui
