// Package jsontext reads JSON text in one pass: it knows the grammar, and leaves what a value becomes to its caller. It is
// the only JSON decoder that the kit has of its own. A conformance test must see what encoding/json and its successor
// hide: the same key twice, half of a surrogate pair, bytes that are no UTF-8, the digits of a number as they were sent.
//
// The package refuses to make values and to judge them. It imports the standard library only.
package jsontext
