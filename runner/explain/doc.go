// Package explain collects all that the kit knows about one requirement: its sentence and its reason, the scenarios that
// prove it, the mutants that break it, the schemas that carry it, and an example.
//
// It may import runner/pack, runner/prove/listed, features, golden and spec, and runs nothing.
package explain
