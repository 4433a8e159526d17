// Package redis keeps streams in Redis, where they outlive the process and several processes share them.
//
// The log of a stream is a Redis stream whose ids are the sequences of the server; Redis itself refuses a sequence that
// was used before. Whatever reads and then writes (numbering, the terminal event, cleanup, reset) is one Lua script, and
// so happens whole or not at all, whoever else writes and whenever a process is killed. A finished stream expires after
// Options.Retention.
//
// A process waits with one blocking read for all of its readers: every change is named in one list, and who attends to
// a stream reads the events that are new once and hands them to all readers there. A reader that lags behind those reads
// the log by itself.
//
// A change isn't sent again when its connection fails, since nobody knows whether it was made: the caller gets
// store.ErrUnavailable. Reading goes on as soon as Redis does. How much survives when the machine of Redis loses power is
// what its appendfsync says; a server that is killed loses nothing that was answered.
//
// Reads end with their context. A change goes on when its context ends, for Options.Timeout at most. Close ends both.
package redis
