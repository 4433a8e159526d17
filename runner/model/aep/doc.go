// Package aep is the spec of this protocol's conversations, executable: the chapters on threads, flow, content, tools,
// cancellation and actions, and what events, request and wire say of one response.
//
// A [Thread] is told each request that is made, and a [Turn], which is a request and its response, each event that came.
// What no transition of the model explains is a [Breach], which names the requirement that forbids it; what is explained
// counts an occasion of it. Freedom of the spec is non-determinism of the model: a text may be cut and put into blocks in
// any way, thoughts may be kept back, a thread that is busy may refuse with 409, what the user said in a request that didn't
// end with done may be in the history or not, and an action whose result came to nothing may be open again or resolved.
//
// The model knows no connection and no clock. It may import runner/model.
package aep
