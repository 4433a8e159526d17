package httpclient

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	// mostHead limits the bytes of an answer's head.
	mostHead = 64 << 10
	// mostRedirects limits consecutive redirects, if a client follows any.
	mostRedirects = 10
)

// Dial opens connections, as net.Dialer.DialContext does.
type Dial = func(ctx context.Context, network, address string) (net.Conn, error)

// Connections configure how a client connects.
type Connections struct {
	Dial  Dial
	TLS   *tls.Config // nil trusts the roots of the system
	Proxy func(*http.Request) (*url.URL, error)

	Handshake time.Duration // how long that of TLS may take
	Head      time.Duration // how long the head of an answer may take; 0: as long as the request
	Idle      time.Duration // time for which an unused connection stays open; 0 closes each at once
	MaxIdle   int           // most of those for one host
	Protocols *http.Protocols
}

// Transport returns a transport for requests.
func Transport(c Connections) *http.Transport {
	return &http.Transport{
		DialContext: c.Dial, TLSClientConfig: c.TLS, Proxy: c.Proxy,
		TLSHandshakeTimeout: c.Handshake, ResponseHeaderTimeout: c.Head,
		IdleConnTimeout: c.Idle, MaxIdleConnsPerHost: c.MaxIdle, DisableKeepAlives: c.Idle == 0, Protocols: c.Protocols,
		DisableCompression: true, MaxResponseHeaderBytes: mostHead,
	}
}

// Options configure how a client treats answers.
type Options struct {
	// Follow follows redirects to the scheme, host and port of the first request. By default a redirect is the answer.
	Follow bool
	// Within bounds each request with its answer; 0: its context alone does.
	Within time.Duration
	// Body limits the bytes of a body, for readers without a limit; 0: no limit.
	Body int64
}

// New makes a client.
func New(carrier http.RoundTripper, o Options) *http.Client {
	c := &http.Client{Transport: carrier, Timeout: o.Within, CheckRedirect: none}
	if o.Follow {
		c.CheckRedirect = sameOrigin
	}
	if o.Body > 0 {
		c.Transport = bounded{carrier, o.Body}
	}
	return c
}

func none(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// A RedirectError reports that a server redirects to another origin than that of the request.
type RedirectError struct{ To string } // a URL, in which there may be secrets

func (e *RedirectError) Error() string { return "the server redirects to another host" }

// sameOrigin keeps headers that may be secrets from a host that they aren't for.
func sameOrigin(to *http.Request, via []*http.Request) error {
	if from := via[0].URL; to.URL.Scheme != from.Scheme || to.URL.Host != from.Host {
		return &RedirectError{to.URL.String()}
	}
	if len(via) >= mostRedirects {
		return errors.New("the server redirects ten times in a row")
	}
	return nil
}

// bounded bounds the bodies of answers.
type bounded struct {
	http.RoundTripper
	most int64
}

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		res.Body = &body{res.Body, b.most, b.most}
	}
	return res, err
}

// body is a body that ends in an error if it has more bytes than it may.
type body struct {
	io.ReadCloser
	left, most int64
}

func (b *body) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if int64(n) > b.left {
		n, err = int(b.left), fmt.Errorf("the answer has more than %d bytes", b.most)
	}
	b.left -= int64(n)
	return n, err
}
