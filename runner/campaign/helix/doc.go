// Package helix describes how campaigns on pack helix work; its tests play them against the reference, its variants and mutants.
// A campaign is in the packages below it:
//
//   - program: a history as people paste it: operations on one stream or several, with one reader or many, or on runs
//   - data: the chunks and bodies that operations write
//   - draw: making a program from a seed, and making one shorter that fails
//   - play: doing the operations of a program, while the models below runner/model/helix expect what readers receive and what
//     StreamInfo and snapshots contain
//
// On the server's runtime a campaign plays runs: a seed draws their scripts and how they are interrupted, resumed and killed.
//
// The scenarios prove one rule at a time in the state that it needs. A campaign looks for states that nobody thought of:
// the 256th chunk, the second reset, the fourth reader, a text that looks like a number.
//
// The packages draw and play don't know each other. They meet in program, which has the limits of both.
package helix
