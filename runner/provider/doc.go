// Package provider plays the language model of a server under test: it is an OpenAI-compatible provider whose answers are
// scripts.
//
// A server sends requests as to any provider: POST /v1/chat/completions, streamed or not, and GET /v1/models. The script is
// selected by a marker, ⟦sc:name⟧, in the last user message that has one, so that any number of scripts is played
// concurrently. A script has a step for each request that an agent makes of its model; the step is the number of assistant
// messages after the marked one, so that a repeated request gets the same answer. A request without a marker gets a fixed
// answer. Invalid requests are refused as by a provider, and recorded: [Provider.Notes] returns them.
//
// It also plays tools, for servers whose tools call a service: POST /v1/tools returns the result of a call. A call whose
// [Call.Fit] is set has arguments that the schema in the request accepts; [Provider.Arguments] returns those that were
// changed, so that the server's output can be compared with the model's.
//
// It knows no pack and judges nothing. It may import httpserver, jsonschema and the standard library.
package provider
