// Package model sends requests to a language model: it is a client of OpenAI's chat completions, of any provider that
// serves them. The agents of the reference servers use it where a real server has a framework's client.
//
// Tools also request their results with it, if the provider plays them. It sends no request twice, and refuses to know
// protocols and agents. It imports the standard library.
package model
