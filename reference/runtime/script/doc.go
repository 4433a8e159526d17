// Package script plays an agent from a script: it is a runtime's Model and Tools where a real server has a language model
// and code.
//
// A script is a list of steps, a step a list of instructions, an instruction an object with one member. It describes the model and the
// tools, not the chunks: no instruction writes one. The package knows only package runtime.
package script
