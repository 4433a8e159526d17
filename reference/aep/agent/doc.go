// Package agent is the agent of the aep reference server. Its decisions come from a script or a language model.
//
// An agent gets a turn, which contains the user's message and the results of the actions that it requested, and emits
// deltas: pieces of text and of reasoning, tool calls and their outcome, actions for the client. The server around it makes
// ids, indexes, stages and events from them, so this package refuses to import that server. It imports reference/text and
// the standard library.
package agent
