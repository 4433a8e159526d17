// Package launch starts the server under test for a run, waits until it answers,
// and ends it with everything that it started.
//
// A server is never left behind. It runs in a process group of its own that is
// asked to end and then killed; and should the suite itself die without a word,
// by a panic or by being killed, a guard outside of its process ends the group
// (on Unix a shell that waits for the end of a pipe, on Windows a job that closes
// with its last handle).
//
// A process that leaves the group for a session of its own is found on Linux, by
// a mark in its environment, and killed when the server is stopped. Elsewhere, or
// once it has cleared its environment, or when the suite itself was killed, such a
// process stays.
//
// What the server writes is kept up to a bound, to be shown when it never gets
// ready or ends by itself. The package judges nothing and sends nothing but the
// question whether somebody answers.
//
// It may import runner/target, for the form that a config has, and runner/redact.
package launch
