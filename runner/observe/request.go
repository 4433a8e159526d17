package observe

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
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/redact"
	"github.com/streamcert/streamcert/runner/report"
)

// A Request is how the stream is asked for.
type Request struct {
	Method string // GET by default
	URL    string
	Header http.Header
	Body   []byte
	TLS    *tls.Config // nil means the system's roots
}

// StatusError says that the answer is no stream.
type StatusError struct {
	Status int
	text   string
}

func (e *StatusError) Error() string { return e.text }

// A response is one answer on a connection of its own.
type response struct {
	*http.Response
	body   io.Reader // decompressed
	cancel context.CancelCauseFunc
	ctx    context.Context
	conns  *conns
}

// close cuts the connection from our side, at once.
func (r *response) close() {
	r.cancel(nil)
	_ = r.Body.Close()
	r.conns.abort()
}

// page says whether the body begins as a page does. The server may take its time.
func (r *response) page() bool {
	in := bufio.NewReaderSize(r.body, 16)
	r.body = in
	first, _ := in.Peek(1) // an error comes again when the body is read
	return len(first) == 1 && first[0] == '<'
}

// why prefers the reason for which we ended a read to the error that it ended in.
func (r *response) why(err error) error {
	if cause := context.Cause(r.ctx); cause != nil {
		return cause
	}
	return err
}

// send asks for the stream. cursor, if it isn't nil, goes into Last-Event-ID. The
// head must come within wait.
func (r Request) send(ctx context.Context, cursor *string, wait time.Duration) (*response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	req, err := http.NewRequestWithContext(ctx, cmp.Or(r.Method, http.MethodGet), r.URL, bytes.NewReader(r.Body))
	if err != nil {
		cancel(nil)
		return nil, fmt.Errorf("making the request: %w", bare(err))
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
	client := &http.Client{Transport: c.transport(r.TLS, wait), CheckRedirect: sameHost}
	res, err := client.Do(req)
	if err != nil {
		cancel(nil)
		c.abort()
		return nil, fmt.Errorf("connecting: %w", bare(err))
	}
	return &response{Response: res, body: decompressed(res), cancel: cancel, ctx: ctx, conns: c}, nil
}

// bare takes the URL out of an error: it may hold a secret, and is said elsewhere.
func bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// sameHost keeps headers that may be secrets from a host that they aren't for.
func sameHost(to *http.Request, via []*http.Request) error {
	if from := via[0].URL; to.URL.Scheme != from.Scheme || to.URL.Host != from.Host {
		return fmt.Errorf("the server redirects to %s; give that URL if it is right", Shown(to.URL.String()))
	}
	if len(via) >= 10 {
		return errors.New("the server redirects ten times in a row")
	}
	return nil
}

// conns are the network connections of one response.
type conns struct {
	mu   sync.Mutex
	list []net.Conn
}

func (c *conns) transport(config *tls.Config, wait time.Duration) *http.Transport {
	dialer := &net.Dialer{Timeout: wait}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			n, err := dialer.DialContext(ctx, network, address)
			if err == nil {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.list = append(c.list, n)
			}
			return n, err
		},
		TLSClientConfig: config, TLSHandshakeTimeout: wait, ResponseHeaderTimeout: wait, ForceAttemptHTTP2: true,
		DisableCompression: true, MaxResponseHeaderBytes: 64 << 10,
	}
}

// abort closes the connections without leaving them behind in TIME_WAIT: a sweep
// makes thousands.
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

// decompressed undoes gzip as the bytes arrive; nothing is read here.
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

// hidden stands for what isn't shown.
const hidden = redact.Mark

// telling are parts of names of query parameters whose values are secrets.
var telling = []string{"token", "key", "secret", "auth", "password", "sig", "session", "credential", "jwt"}

// maySecret reports whether the value of a query parameter may be a secret, by its
// name as it stands in the URL.
func maySecret(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = strings.ToLower(strings.ToUpper(name)) // ſ is an s only in upper case
	return slices.ContainsFunc(telling, func(t string) bool { return strings.Contains(name, t) })
}

// Shown is a URL without its password and without query values that may be
// secrets.
func Shown(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "the URL"
	}
	if u.User != nil {
		u.User = url.User(hidden)
	}
	parts := strings.Split(u.RawQuery, "&")
	for i, part := range parts {
		name, _, has := strings.Cut(part, "=")
		if has && maySecret(name) {
			parts[i] = part[:len(name)] + "=" + hidden
		}
	}
	u.RawQuery = strings.Join(parts, "&")
	return strings.ReplaceAll(u.String(), url.PathEscape(hidden), hidden)
}

// Secrets are what no output of the request may show: values of headers, the word
// after a scheme, the credential of the URL, and query values that may be secrets.
func (r Request) Secrets() []string {
	var out []string
	for name, values := range r.Header {
		if public(name) {
			continue
		}
		for _, value := range values {
			_, token, _ := strings.Cut(value, " ")
			out = append(out, value, token)
		}
	}
	u, err := url.Parse(r.URL)
	if err != nil {
		return out
	}
	if u.User != nil {
		password, both := u.User.Password()
		out = append(out, password, u.User.String())
		if both {
			out = append(out, u.User.Username()+":"+password)
		} else {
			out = append(out, u.User.Username(), u.User.Username()+":")
		}
	}
	for name, values := range u.Query() {
		if maySecret(name) {
			out = append(out, values...)
		}
	}
	return out
}

// redacted replaces every secret of the request in s.
func (r Request) redacted(s string) string { return redact.New(r.Secrets()...).Redact(s) }

// public says that the value of a request header can't be a secret.
func public(name string) bool {
	switch strings.ToLower(name) {
	case "accept", "accept-encoding", "content-type", "cache-control", "last-event-id", "origin", "user-agent", "host":
		return true
	}
	return false
}

// curl is a command that sends the request, with the values of headers left out.
func (r Request) curl(cursor *string) string {
	words := []string{"curl", "-N"}
	if r.Method != "" && r.Method != http.MethodGet {
		words = append(words, "-X", r.Method)
	}
	words = append(words, r.flags()...)
	if cursor != nil {
		words = append(words, "-H", report.Shell("Last-Event-ID: "+*cursor))
	}
	return strings.Join(append(words, report.Shell(Shown(r.URL))), " ")
}

// flags are the headers and the body, for a shell, with secrets left out.
func (r Request) flags() []string {
	var words []string
	if r.TLS != nil && r.TLS.InsecureSkipVerify {
		words = append(words, "-k")
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, value := range r.Header[name] {
			if !public(name) {
				value = hidden
			}
			words = append(words, "-H", report.Shell(name+": "+value))
		}
	}
	if len(r.Body) > 0 {
		words = append(words, "-d", "@body")
	}
	return words
}
