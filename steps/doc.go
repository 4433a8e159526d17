// Package steps is the vocabulary of the feature files: what Given, When and
// Then can say about an agent streaming server, and what each sentence does.
//
// A [World] is what one scenario knows: its streams with the events that were
// written to them, its clients with what they have received, and the record of
// every exchange. A Then counts its occasions, so that a check which looked at
// nothing proves nothing.
//
// Steps speak of streams, events, clients and writers; only package target knows
// routes and headers. The package never imports net/http and never the reference
// server. It may import godog, target, judge, wire, golden and schemas.
package steps
