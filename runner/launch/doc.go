// Package launch starts the server under test for a run, waits until it answers, and ends it with everything that it
// started.
//
// A server never outlives the run. It runs in a separate process group that gets a signal to end and is then killed; and if the
// suite itself dies, by a panic or a kill, a guard process ends the group (on Unix a shell that waits for the end of a
// pipe, on Windows a job that closes with its last handle).
//
// A process that leaves the group for a new session is found on Linux, by a mark in its environment, and killed when the
// server is stopped. Elsewhere, or once it has cleared its environment, or when the suite itself was killed, such a process
// stays.
//
// The end of the server's output is stored, to be shown when it never gets ready or ends by itself. The package judges
// nothing and sends only requests that check whether the server answers.
//
// It may import runner/target, for the form that a config has, and runner/redact.
package launch
