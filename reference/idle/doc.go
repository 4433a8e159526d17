// Package idle defines an idle server: a correct reference server that shows less than it could. One refuses every run,
// another never calls a tool, a third always emits the same sentence. Each protocol's idle servers are a catalogue in a
// package below this one.
//
// A suite that passes a rule about tool calls because no tool call broke it certifies silence. Each idle server lists the
// requirements whose subject it never shows, and none of them may pass.
//
// Idle servers are decorators, like mutants and variants. The catalogues refuse to judge. They import the reference, the
// extension points of package alter and the standard library.
package idle
