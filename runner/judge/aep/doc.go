// Package aep judges responses of the aep pack: their framing, the shape of every
// event, how a response begins and ends, how its blocks are put together, and
// whether what done says is what was streamed; and the bodies of refusals.
//
// It refuses to accuse a server of what the specification leaves free: events of
// unknown kinds, members that nobody knows, comments, ids, blocks that overlap or
// have no delta, a tool_result whose call was in an earlier response.
//
// A machine remembers each block and each action of a response once. Of a text it
// keeps a hash, of arguments the value; what is larger than that isn't compared.
//
// The package may import runner/wire, runner/record, runner/judge, schemas and spec.
package aep
