// Package view turns a stream of chunks into a readable transcript: text and reasoning of the agents, tools with their
// durations, sub-agents below their parents, the state after each patch, and how the stream ended. It renders the types of
// chunks that Types lists. Those of other protocols count as unknown.
//
// Events reads the frames of a recording or of a live stream; a Transcript or Words write them as they come. The
// accumulated state is that of runner/fold, as for judges, but with a guess where a judge would stay silent. Memory is
// constant: that fold, and one line. Filters select chunks; they never reorder or change any.
//
// The package refuses to judge. Unreadable data is reported by its position and left out. Control characters become visible
// escapes, and no text of the stream can get into the left margin with the marks of the transcript.
//
// It imports wire, report, fold, patch and judge of the kit, and libraries for the width of characters and for colours.
package view
