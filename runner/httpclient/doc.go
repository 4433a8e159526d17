// Package httpclient is how this program asks HTTP servers. A server that is asked may be hostile: no client of this package
// sends the secrets of a request to another scheme, host or port, keeps more than 64 KiB of a head, keeps a connection that
// nobody uses, or decompresses by itself. A body is read within the bounds of whoever reads it, or of [Options] where that is
// code of others.
//
// It may import the standard library. A lint in the tests keeps the others from making clients.
package httpclient
