// Package view makes of a helix stream what a person reads: the text as it was
// said, reasoning, tools with their durations, sub-agents below their parents,
// the state after each patch, and how it all ended.
//
// Events reads the frames of a recording or of a live stream; a Transcript or a
// Text writes them as they come. Both need the same memory for any number of
// events: the state documents, the calls and agents that are open, and one
// line. Filters choose among chunks; they never reorder and never change any.
//
// The package refuses to judge. What can't be read is reported by its place and
// left out. Nothing of a stream reaches a terminal raw: every control character
// becomes a visible escape, and no text can get into the left margin, where the
// signs of a transcript stand.
//
// It imports wire and report of the kit, and libraries for JSON patches, the
// width of characters and colours.
package view
