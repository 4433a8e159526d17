// Package letter is a streamer that does what the code of the pack's source does, line by line, also where the code of the
// reference does something better: it has its own reader of the model, its own slices, chunks, steps and citations. It shares
// the form of requests with the reference, and nothing else.
//
// It is a variant, which may be warned of and must earn every class.
package letter
