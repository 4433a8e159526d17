// Package merlin is what pack merlin says of its servers: the routes of both versions, how a stream is asked for, and the
// calls of the control binding.
//
// It may import runner/target and runner/provider.
package merlin
