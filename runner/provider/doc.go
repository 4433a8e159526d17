// Package provider plays the language model of a server under test: it is an OpenAI-compatible provider whose answers are
// scripts.
//
// A server asks it as it asks any provider: POST /v1/chat/completions, streamed or not, and GET /v1/models. What it says is
// found by a marker, ⟦sc:name⟧, in the last user message that has one, so that any number of scripts is played side by
// side. A script has a step for each request that an agent makes of its model; which step is asked for is the number of
// assistant messages after the marked one, so that a request that is made again gets the same answer. A request without a
// marker gets a fixed answer. What a provider refuses is refused as one does it, and noted: [Provider.Notes] says so to
// whoever runs the suite.
//
// Beside the model it plays tools, for servers whose tools ask a service: POST /v1/tools says what a call returns. A call
// whose [Call.Fit] is set has arguments that the schema in the request accepts; [Provider.Arguments] returns those that
// were changed, so that what the server sends is compared with what the model sent.
//
// It knows no pack and judges nothing. It may import httpserver, jsonschema and the standard library.
package provider
