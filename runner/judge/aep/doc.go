// Package aep judges responses of the aep pack: their framing, the shape of every event, how a response begins and ends,
// how its blocks are assembled, and whether the content of done equals the streamed content; and the bodies of refusals.
//
// It reports no choice that the specification leaves to a server: events of unknown kinds, unknown members, comments, ids,
// blocks that overlap or have no delta, a tool_result whose call was in an earlier response.
//
// A machine stores each block and each action of a response once. It stores a hash of a text, and the value of arguments;
// larger ones aren't compared.
//
// The package may import runner/wire, runner/record, runner/judge, schemas and spec.
package aep
