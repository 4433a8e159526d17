// Package agent is the agent of the aep reference server. Its model is a script, or one that
// is asked.
//
// An agent is handed a turn, what the user said and what came of the actions that it asked for, and says what it does as
// deltas: pieces of text and of reasoning, tool calls and their outcome, actions for the client. That is all it knows.
// Ids, indexes, stages and events are made of it by the server around it, so this package refuses to import that server.
// It imports reference/text and the standard library.
package agent
