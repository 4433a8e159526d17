// Package letter is a streamer that follows the code of the pack's source line by line, also where the code of the
// reference improves on it: it doesn't share the reference's reader of the model, slices, chunks, steps and citations. It
// shares only the form of requests.
//
// It is a variant, which may have warnings and must earn every class.
package letter
