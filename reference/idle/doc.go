// Package idle says what an idle server is: a reference server that shows less than it could, and breaks nothing by
// that. One refuses every run, another never calls a tool, a third says the same sentence whatever it is asked. Each
// protocol's idle servers are a catalogue in a package below this one.
//
// A suite that counts a rule about tool calls as kept because no tool call broke it certifies silence. Each idle server
// lists the requirements whose subject it never shows, and none of them may come out as a pass.
//
// Idle servers are decorators, like mutants and variants. The catalogues refuse to judge. They import the reference, the
// seams of package alter and the standard library.
package idle
