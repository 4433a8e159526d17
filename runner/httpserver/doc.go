// Package httpserver is how this program serves HTTP: on the loopback unless a key protects what is served, for no web page of
// another origin, with deadlines and in bounded memory. The provider and the reference server are served by it.
//
// It may import the standard library.
package httpserver
