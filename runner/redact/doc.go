// Package redact removes secrets from text. A Redactor knows every form in which a secret comes back from a server or out
// of a writer: as it is, percent-encoded, escaped for JSON, HTML or XML, as digits in base 16, and in base64 at any offset.
//
// The caller decides which values are secrets. The package imports nothing but the standard library.
package redact
