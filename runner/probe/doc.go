// Package probe tries every route of a pack on a target and reports its tiers, capabilities, and the requirements that a
// run could prove.
//
// It judges nothing. It may import runner/pack, runner/target, runner/report, features and spec, and refuses to know a
// route that isn't in the pack's value.
package probe
