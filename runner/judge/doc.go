// Package judge judges exchanges. Exchange takes a whole one; a Machine is shown a
// response as it arrives — its head, each block of its body, and how it ended — and
// answers with findings. The machines are in the packages below, one a pack. What
// they share is here: Base collects findings and occasions and checks the bytes of
// a body, and the templates (Same, Ascends, Unique, Brackets) hold the forms of
// rule that protocols make again and again.
//
// A machine only looks. It doesn't know what a scenario meant to see, so it
// finds what is wrong on any response whatever: a scripted one, an observed
// one, a capture. It takes each block once, and its memory doesn't grow with
// the length of the stream. Besides findings it counts occasions: how often a
// requirement's check had something to look at. A requirement without an
// occasion is not proven, however few findings there are.
//
// A machine refuses to guess. What a server is free to do is no finding, and
// what can't be known from this response alone is neither finding nor occasion.
//
// A pack writes the id of each requirement once, as a constant of its rules.go with
// the same name: helix.wire.id-digits is wireIDDigits, and the check that holds it
// uses that constant.
//
// The package may import runner/wire, runner/record, schemas and spec.
package judge
