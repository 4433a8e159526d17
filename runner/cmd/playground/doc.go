//go:build js

// Command playground is the program of the page that judges recordings. It is compiled for browsers only:
//
//	GOOS=js GOARCH=wasm go build ./runner/cmd/playground
//
// It sets the function judgeRecording(read, options, tell), whose result is a promise: read returns a promise of the next
// bytes, null at the end; tell is called with each message as JSON. It sets judgeDigest too, and calls judgeReady with "",
// or with why it can't judge.
package main
