// Package httpserver serves HTTP safely: on the loopback unless a key is required, not for web pages of another origin,
// with deadlines and in bounded memory. The provider and the reference server use it.
//
// It may import the standard library.
package httpserver
