// Package view turns a stream of chunks into a transcript for people: what the
// agents said and thought, tools with their durations, sub-agents below their
// parents, the state after each patch, and how the stream ended. It has words for
// the types of chunks that Types lists. Those of other protocols count as unknown.
//
// Events reads the frames of a recording or of a live stream; a Transcript or Words
// write them as they come. What the chunks add up to is what runner/fold understands of
// them, as judges do, with its best guess where they would say nothing. Memory is the
// same for any number of events: that fold, and one line. Filters choose among
// chunks; they never reorder and never change any.
//
// The package refuses to judge. What can't be read is reported by its place and
// left out. Nothing of a stream reaches a terminal raw: every control character
// becomes a visible escape, and no text can get into the left margin, where the
// signs of a transcript stand.
//
// It imports wire, report, fold, patch and judge of the kit, and libraries for the width of
// characters and for colours.
package view
