// Package redis stores streams in Redis, where they outlive the process and several processes share them.
//
// The log of a stream is a Redis stream whose ids are the sequences of the server; Redis itself refuses a sequence that was
// used before. Every operation that reads and then writes (numbering, the terminal event, cleanup, reset) is one Lua
// script, and thus atomic with respect to other processes and kills. A finished stream expires after Options.Retention.
//
// A process waits with one blocking read for all of its readers: every change is named in one list, and a process with
// readers of the stream reads its new events once and passes them to all of them. A reader that lags behind those reads the
// log itself.
//
// A change isn't repeated when its connection fails, since it is unknown whether it was made: the caller gets
// store.ErrUnavailable. Reading continues as soon as Redis does. The durability at a power loss of Redis' machine depends
// on its appendfsync; a killed server loses no acknowledged change.
//
// Reads end with their context. A change continues when its context ends, for Options.Timeout at most. Close ends both.
package redis
