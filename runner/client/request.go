package client

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/httpclient"
	"github.com/streamcert/streamcert/runner/report"
)

// A Request describes how to request the stream.
type Request struct {
	Method string // GET by default
	URL    string
	Header http.Header
	Body   []byte
	TLS    *tls.Config // nil means the system's roots
}

// StatusError reports that the answer is no stream.
type StatusError struct {
	Status int
	text   string
}

func (e *StatusError) Error() string { return e.text }

// A Response is one answer on a separate connection. Close it.
type Response struct {
	*http.Response
	Stream io.Reader // the body, decompressed
	// Cancel ends the read with a reason, which Why returns.
	Cancel context.CancelCauseFunc

	request Request
	ctx     context.Context
	conns   *conns
}

// Close cuts the connection from our side, at once.
func (r *Response) Close() {
	r.Cancel(nil)
	_ = r.Body.Close()
	r.conns.abort()
}

// page reports whether the body begins as that of an HTML page. It waits for the server's bytes.
func (r *Response) page() bool {
	in := bufio.NewReaderSize(r.Stream, 16)
	r.Stream = in
	first, _ := in.Peek(1) // an error comes again when the body is read
	return len(first) == 1 && first[0] == '<'
}

// Why prefers the reason for which we ended a read to the error that it ended in.
func (r *Response) Why(err error) error {
	if cause := context.Cause(r.ctx); cause != nil {
		return cause
	}
	return err
}

// Send requests the stream. cursor, if it isn't nil, is sent as Last-Event-ID. The head must arrive within wait. The error
// reports that no answer came, and doesn't contain the URL.
func (r Request) Send(ctx context.Context, cursor *string, wait time.Duration) (*Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	req, err := http.NewRequestWithContext(ctx, cmp.Or(r.Method, http.MethodGet), r.URL, bytes.NewReader(r.Body))
	if err != nil {
		cancel(nil)
		return nil, fmt.Errorf("making the request: %w", Bare(err))
	}
	req.Header = r.Header.Clone()
	if req.Header == nil {
		req.Header = http.Header{}
	}
	req.Host = cmp.Or(req.Header.Get("Host"), req.Host)
	defaults := map[string]string{
		"Accept": "text/event-stream", "Cache-Control": "no-cache", "Accept-Encoding": "identity",
	}
	if len(r.Body) > 0 {
		defaults["Content-Type"] = "application/json"
	}
	for name, value := range defaults {
		if len(req.Header.Values(name)) == 0 {
			req.Header.Set(name, value)
		}
	}
	if cursor != nil {
		req.Header.Set("Last-Event-ID", *cursor)
	}
	c := &conns{}
	client := httpclient.New(c.transport(r.TLS, wait), httpclient.Options{Follow: true})
	res, err := client.Do(req)
	if err != nil {
		cancel(nil)
		c.abort()
		var away *httpclient.RedirectError
		if errors.As(err, &away) {
			err = fmt.Errorf("the server redirects to %s; give that URL if it is right", Shown(away.To))
		}
		return nil, fmt.Errorf("connecting: %w", Bare(err))
	}
	return &Response{Response: res, Stream: decompressed(res), Cancel: cancel, request: r, ctx: ctx, conns: c}, nil
}

// Bare removes the URL from an error, because it may contain a secret and is reported elsewhere.
func Bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// conns are the network connections of one response.
type conns struct {
	mu   sync.Mutex
	list []net.Conn
}

// unused is the time for which the connection of a response stays open after it.
const unused = time.Second

func (c *conns) transport(config *tls.Config, wait time.Duration) *http.Transport {
	dialer := &net.Dialer{Timeout: wait}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	return httpclient.Transport(httpclient.Connections{
		Proxy: http.ProxyFromEnvironment,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			n, err := dialer.DialContext(ctx, network, address)
			if err == nil {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.list = append(c.list, n)
			}
			return n, err
		},
		TLS: config, Handshake: wait, Head: wait, Idle: unused, Protocols: protocols,
	})
}

// abort closes the connections without TIME_WAIT: a sweep makes thousands.
func (c *conns) abort() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.list {
		if tcp, ok := n.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = n.Close()
	}
	c.list = nil
}

// decompressed decodes gzip as the bytes arrive; nothing is read here.
func decompressed(res *http.Response) io.Reader {
	if !strings.EqualFold(res.Header.Get("Content-Encoding"), "gzip") {
		return res.Body
	}
	return &unzipped{src: res.Body}
}

type unzipped struct {
	src io.Reader
	z   *gzip.Reader
}

func (u *unzipped) Read(p []byte) (int, error) {
	if u.z == nil {
		z, err := gzip.NewReader(u.src)
		if err != nil {
			return 0, err
		}
		u.z = z
	}
	return u.z.Read(p)
}

// Refused returns a *StatusError for a response that isn't a stream. A wrong content type is left to a judge, unless it is
// that of a page.
func (r *Response) Refused() error {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.StatusCode/100 == 2 && r.StatusCode != http.StatusNoContent && (kind != "text/html" || !r.page()) {
		return nil
	}
	return r.refusal()
}

// isStream reports whether EventSource would read the answer.
func (r *Response) isStream() bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return r.StatusCode == http.StatusOK && kind == "text/event-stream"
}

// refusal describes the response that came instead of a stream.
func (r *Response) refusal() *StatusError {
	if r.StatusCode == http.StatusNoContent {
		return &StatusError{204, "the server answers 204: there is nothing to read; a stream that can be resumed and " +
			"has ended says so to a cursor at its end"}
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	begin, _ := io.ReadAll(io.LimitReader(r.Stream, 300))
	text := fmt.Sprintf("the server answers %d with %s, expected 200 with text/event-stream",
		r.StatusCode, cmp.Or(kind, "no Content-Type"))
	if said := strings.TrimSpace(string(begin)); said != "" {
		text += ": " + report.OneLine(r.request.Redacted(said))
	}
	if r.StatusCode == http.StatusUnauthorized || r.StatusCode == http.StatusForbidden {
		text += "; credentials are sent with -H 'NAME: VALUE'"
	}
	return &StatusError{r.StatusCode, text}
}
