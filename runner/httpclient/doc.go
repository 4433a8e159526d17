// Package httpclient makes safe HTTP requests. A server may be hostile: no client of this package sends the secrets of a
// request to another scheme, host or port, stores more than 64 KiB of a head, keeps an unused connection, or decompresses
// by itself. The reader of a body limits its size, or [Options] if the reader is code of others.
//
// It may import the standard library. A lint in the tests prevents others from making clients.
package httpclient
