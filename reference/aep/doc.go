// Package aep is the reference server of the Agent Event Protocol: an agent behind HTTP, whose answers are streams of
// server-sent events.
//
//	POST /v1/agents/{agent}/stream                       request; the answer is the stream
//	POST /v1/agents/{agent}/requests/{requestId}/cancel  put an end to an answer
//	POST /control/aep/release                            continue a script that waits at a barrier
//
// A request goes one way: it is decoded, the server finds its thread and its actions, and an agent takes a turn. What the
// agent does are deltas, of which a Machine makes events; the Machine is a pure function of what it is fed, and knows
// neither HTTP nor time. A journal hands the events on, and an encoder writes them.
//
// Everything on that way is a field of Options, so that a decorator can do it differently. The package refuses to be a
// product: threads and actions are in memory, for as long as the server runs. It imports agent and the standard library.
//
// # Files, in reading order
//
//   - handler.go, options.go, requests.go, decode.go, errors.go: routes, requests, refusals
//   - threads.go, actions.go, stored.go: what is stored between requests, in memory or as records
//   - machine.go, event.go, stream.go, encoder.go: from deltas to events to bytes
//   - model.go: an agent whose model is elsewhere
//
// Invariants: a machine opens one block at a time and closes it before the next; a response has at most one terminal event.
package aep
