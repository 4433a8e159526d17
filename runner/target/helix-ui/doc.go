// Package helixui describes servers of pack helix-ui: its routes, how to start and read a chat, and which part of a script
// the model plays.
//
// It may import runner/target, runner/provider and runner/record.
package helixui
