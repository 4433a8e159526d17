// Package model asks a language model: it is a client of OpenAI's chat completions, of any provider that serves them. The
// agents of the reference servers have it where a real server has its framework's.
//
// It is also where tools ask for what they return, if the provider plays them. It makes no request twice, and refuses to
// know protocols and agents. It imports the standard library.
package model
