// Package pack contains the type that describes a protocol to the kit, and loads one.
//
// A [Pack] names the folders of a protocol and contains the parts that the kit can't read there: its judge, its steps, its
// preflight, its routes and the shape of its documents. A [Suite] is a pack with its folders read. Both are data: the
// packages that certify, check, observe, probe, explain and prove take a suite and know no pack by name. The packs
// themselves are in the folders below.
//
// It may import spec, schemas, features, golden, steps, runner/judge, runner/target and runner/wire, and refuses to know a
// protocol.
package pack
