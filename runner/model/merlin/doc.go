// Package merlin is the spec of this protocol's streams, executable: what the acts of a script mean on the wire of each
// version, and in the aggregate.
//
// A [Stream] is told the script that a client sends, and each event that came. What no transition of the model explains is
// a [Breach], which names the requirement that forbids it; what is explained counts an occasion of it. Freedom of the spec
// is non-determinism of the model: slices may be cut anywhere, another agent may have any index that nobody used, which of
// several steps of a name is meant is the server's choice, a title and a citation at the end may come or not, and a step that
// nothing was done with may be shown again as it is.
//
// The model knows no connection and no clock. It may import runner/model.
package merlin
