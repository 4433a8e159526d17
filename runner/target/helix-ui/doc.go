// Package helixui is what pack helix-ui says of its servers: its routes, how a chat is asked and read again, and what of a
// script the model plays.
//
// It may import runner/target, runner/provider and runner/record.
package helixui
