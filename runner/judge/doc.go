// Package judge judges exchanges. Exchange takes a complete one; a Machine takes a response as it arrives — its head, each
// block of its body, and how it ended — and returns findings. The machines are in the packages below, one a pack. This
// package contains their common part: Base collects findings and occasions and checks the bytes of a body, and the
// templates (Same, Ascends, Unique, Brackets) implement the forms of rules that many protocols have.
//
// A machine only inspects. It doesn't know the purpose of a scenario, so it judges any response: a scripted one, an
// observed one, a capture. It takes each block once, and its memory doesn't grow with the length of the stream. Besides
// findings it counts occasions: how often it checked a requirement. A requirement without an occasion is not proven, even
// if it has no finding.
//
// A machine doesn't guess. A choice that the specification leaves to a server is no finding, and a fact that this response
// alone doesn't show is neither finding nor occasion.
//
// A pack writes the id of each requirement once, as a constant of its rules.go with the same name: helix.wire.id-digits is
// wireIDDigits, and its check uses that constant.
//
// The package may import runner/wire, runner/record, schemas and spec.
package judge
