// Package redact takes secrets out of text. A Redactor knows every form in which a secret comes back from a server or out
// of a writer: as it is, percent-encoded, escaped for JSON, HTML or XML, as digits in base 16, and in base64 at any offset.
//
// The package decides nothing about what is a secret; whoever has a config or a request says so. It imports nothing but the
// standard library.
package redact
