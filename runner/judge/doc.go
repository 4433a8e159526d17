// Package judge says what a passive judge of a protocol pack is: a machine that
// is shown a response as it arrives — its head, each block of its body, and how
// it ended — and answers with findings. The machines are in the packages below,
// one a pack.
//
// A machine only looks. It is never told what a scenario meant to see, so it
// finds what is wrong on any response whatever: a scripted one, an observed
// one, a capture. It takes each block once, and its memory doesn't grow with
// the length of the stream. Besides findings it counts occasions: how often a
// requirement's check had something to look at. A requirement without an
// occasion is not proven, however few findings there are.
//
// A machine refuses to guess. What a server is free to do is no finding, and
// what can't be known from this response alone is neither finding nor occasion.
//
// The package may import runner/wire, schemas and spec.
package judge
