// Package script plays an agent from a script: it is a runtime's Model and Tools where a real server has a language model
// and code.
//
// A script is a list of steps, a step a list of acts, an act an object with one member. It says what the model and the
// tools do, and nothing about what readers see of it: no act writes a chunk. Package runtime is all that it knows.
package script
