// Package aep is the value of pack aep: one request to an agent, answered by a stream of events.
//
// It may import runner/pack, golden, the judge and the steps of the pack, runner/judge, runner/target and runner/wire, and refuses
// to judge.
package aep
