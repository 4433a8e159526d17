// Package aep is an executable specification of this protocol's conversations: the chapters on threads, flow, content,
// tools, cancellation and actions, and the rules of events, request and wire on one response.
//
// A [Thread] receives each request, and a [Turn], which is a request and its response, each event. An event that no
// transition of the model explains is a [Violation], which names the violated requirement; an explained one counts an
// occasion of it. An allowance of the specification is a non-determinism of the model: a text may be divided into pieces
// and blocks in any way, reasoning may be hidden, a busy thread may refuse with 409, the user's messages in a request that
// didn't end with done may be in the history or not, and an action whose result failed may be open again or resolved.
//
// Files, in reading order: script (the steps of an agent), content (events joined to blocks), thread and turn (the
// state), answer (how a request may be answered), response (each event), compare (the content against the script), history
// (the history that an agent got), lasting (restarts and replicas), rules.
//
// The model knows no connection and no clock. It may import runner/model.
package aep
