// Package run has the mutants of runs that only campaigns find: no scenario is made for them, because they err at a size, a
// number, a text or a combination of steps that the spec doesn't single out.
//
// # Files, in reading order
//
//   - values.go: some texts, values, sizes, lists and patches
//   - tool_calls.go: calls of tools, their arguments, answers and results, and consent
//   - timers.go, subagents.go: sub-agents, how they fail, and time
//   - sessions.go: sessions that go back, branch or go on, restarts, pages that are opened later
//   - mutants.go: the list
//
// No file uses what a later one declares.
package run
