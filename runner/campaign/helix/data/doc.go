// Package data makes the chunks that operations of a program write: texts, values, patches, reasoning, unknown types and
// members, and chunks that a server must refuse. The nth chunk of a stream is the same for the same operation.
//
// Files, in reading order: words.go (error codes and modes), json_spelling.go (other spellings of the same JSON), patch.go,
// mixed_chunks.go (chunks of many types, and invalid ones), chunk.go.
package data
