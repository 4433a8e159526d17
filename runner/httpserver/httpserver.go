package httpserver

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Limits bound the resources of clients.
type Limits struct {
	Header time.Duration // for the head of a request
	Idle   time.Duration // after which an unused connection is closed; longer than clients keep theirs
	Bodies Bodies
}

// maxHeader limits the bytes of a request's head.
const maxHeader = 128 << 10

// Server serves a handler over HTTP/1.1 and, to clients that know beforehand, HTTP/2. What goes wrong inside is logged to
// logs. It has no WriteTimeout and no ReadTimeout: streams are open for as long as they
// like, and bodies have other limits.
func Server(h http.Handler, l Limits, logs io.Writer) *http.Server {
	s := &http.Server{
		Handler: l.Bodies.bound(h), Protocols: new(http.Protocols), ReadHeaderTimeout: l.Header, IdleTimeout: l.Idle,
		MaxHeaderBytes: maxHeader, ErrorLog: log.New(logs, "streamcert: ", 0),
	}
	s.Protocols.SetHTTP1(true)
	s.Protocols.SetUnencryptedHTTP2(true)
	return s
}

// Loopback reports whether only this machine can reach an address, host:port.
func Loopback(address net.Addr) bool {
	at, err := netip.ParseAddrPort(address.String())
	return err == nil && at.Addr().Unmap().IsLoopback()
}
