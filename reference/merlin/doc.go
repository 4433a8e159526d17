// Package merlin is a server that satisfies every rule of the pack merlin: a streamer that turns the events of a language
// model into Server-Sent Events, in two versions. It imports nothing of the kit.
//
// A request names its version by its route. The model's output, and other events during it, are the script of the request;
// [Options] has the extension points of the server. Without a script its language model answers, or without one the server
// repeats the user's message.
package merlin
