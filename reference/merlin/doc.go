// Package merlin is a server that keeps every rule of the pack merlin: a streamer that turns the events of a language model
// into Server-Sent Events, in two versions. It imports nothing of the kit.
//
// A request names its version by its route. What the model sends, and what else happens while it does, is the script of the
// request; [Options] has the places where a server can be altered. Without a script its language model answers, or else the
// server repeats what it was told.
package merlin
