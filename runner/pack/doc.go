// Package pack holds the value that says everything of a protocol, and a protocol that is loaded.
//
// A [Pack] names the folders of a protocol and hands over what the verbs of the kit can't read there: its judge, its
// steps, its preflight, its routes and the shape of its documents. A [Suite] is a pack with its folders read. Both are
// data: the packages that certify, check, observe, probe, explain and prove take a suite and know no pack by name.
// The packs themselves lie below, one folder each.
//
// It may import spec, schemas, features, golden, steps, runner/judge, runner/target and runner/wire, and refuses to know a
// protocol.
package pack
