// Package schemas contains the JSON Schemas of every protocol pack and of the kit's documents, and checks bytes
// against them: one pass that reads the JSON without forgiving anything, one schema chosen by the discriminator,
// and findings that name the requirement they break.
//
// What it reads is stricter than encoding/json: duplicate keys, invalid UTF-8, bytes after the value, nesting
// deeper than [MaxDepth] and numbers that no reader can hold are findings. Bad input costs linear time and never
// panics.
//
// # Profiles
//
// The files describe what a certified server sends: the [Strict] profile. Where a reader has to put up with more, the
// schema object carries "x-lenient", a JSON merge patch (RFC 7396) on that object, and the [Lenient] profile is
// the schema with all such patches applied at load time. Members that a type doesn't define are fine in both.
//
// Other programs load neither: [Set.Bundle] and [Set.Definitions] write a profile with keywords of JSON Schema alone, and
// runner/describe publishes them. The $id of each file is where that publishes it.
//
// # Requirements
//
// Every asserting keyword resolves to one requirement: the "$comment": "requirement <id>" in its schema
// object, or in the nearest one around it. [Set.Problems] reports keywords without one.
//
// The package does not fetch: a reference to anything outside the given file system is an error. It does not know
// SSE, sequences or the order of frames, and it doesn't judge a server; it only reports whether a document has its
// shape. It may import the standard library, schemas/jsontext and the jsonschema module.
//
// # Files, in reading order
//
//   - schemas.go, manifest.go, load.go, config.go: the files of this build, and a compiled set
//   - decode.go, quick.go, long.go, validate.go: one document: reading it, the quick check, long lists, the library
//   - message.go, number.go: why a value is refused
//   - publish.go: schemas for other programs
//   - budget.go: a limit on schemas whose references multiply
//   - walk.go, members.go, problems.go: what the files say, and what is wrong with them
//
// Invariants: the quick check answers yes only where the library would; the library words every problem.
package schemas
