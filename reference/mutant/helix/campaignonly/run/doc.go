// Package run has the mutants of runs that only campaigns find: no scenario is made for them, because they err at a size, a
// number, a text or a combination of steps that the spec doesn't single out.
//
// # Files, in reading order
//
//   - values.go, repetition.go: some texts and values, steps that come again
//   - tool_calls.go, tool_answers.go, tool_results.go: calls of tools
//   - inside_subagents.go, approval.go, deadlines.go: consent and time, also within sub-agents
//   - subagents.go, subagent_failures.go, empty_agents.go: sub-agents, and how they fail
//   - list_appends.go, capacity.go, field_limits.go: lists, sizes and numbers
//   - patch_moves.go, patch_values.go: patches
//   - sessions.go, rollback.go, later_readers.go: sessions that go back, branch or go on; pages that are opened later
//   - concurrent_calls.go, crashes.go: concurrent calls, restarts
//   - mutants.go: the list
//
// No file uses what a later one declares.
package run
