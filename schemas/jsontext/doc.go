// Package jsontext reads JSON text in one pass: it knows the grammar, and its caller decides how values are represented. It
// is the only JSON decoder of the kit. A conformance test must see the details that encoding/json and its successor hide:
// duplicate keys, half of a surrogate pair, invalid UTF-8, the digits of a number as they were sent.
//
// The package refuses to make values and to judge them. It imports the standard library only.
package jsontext
