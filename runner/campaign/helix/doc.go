// Package helix describes how campaigns on pack helix work; its tests play them against the reference, its variants and
// mutants. A campaign is in the packages below it:
//
//   - program: a program as people paste it: operations on one stream or several, with one reader or many, or on runs
//   - data: the chunks and bodies that operations write
//   - draw: drawing a program from a seed, and shrinking one that fails
//   - play: performing the operations of a program, while the models below runner/model/helix predict the frames of
//     readers, StreamInfo and snapshots
//
// On the server's runtime a campaign plays runs: a seed draws their scripts and how they are interrupted, resumed and
// killed.
//
// The scenarios prove one rule at a time in the state that it needs. A campaign searches states without a scenario: the
// 256th chunk, the second reset, the fourth reader, a text that resembles a number.
//
// The packages draw and play don't import each other. Both import program, which has the limits of both.
package helix
