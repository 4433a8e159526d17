// Package merlin describes servers of pack merlin: the routes of both versions, how to request a stream, and the calls of
// the control binding.
//
// It may import runner/target and runner/provider.
package merlin
