// Package record has the shapes that the parts of the runner share: an Exchange, which is one request and everything that
// came back for it; the Kinds, Origins and Ends of exchanges with their words in reports; and a Finding, which is one
// violation of one requirement.
//
// The package refuses to talk to servers, to judge and to write reports: runner/target fills an exchange, runner/judge
// makes findings of it, and runner/report writes both down. It may import runner/wire.
package record
