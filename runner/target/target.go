package target

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/streamcert/streamcert/runner/httpclient"
	"github.com/streamcert/streamcert/runner/redact"
	"github.com/streamcert/streamcert/runner/wire"
)

// Options are settings of a target that a config file can't express.
type Options struct {
	// TLS is used for https targets; nil means the TLS settings of the config.
	TLS *tls.Config
	// HTTP2 makes every request go over HTTP/2: by ALPN on https, by prior
	// knowledge on http.
	HTTP2 bool
	// Prefix begins every stream id, so that a run can't meet the streams of
	// another; empty means a random one.
	Prefix string
}

// Target is a server under test. It is safe for concurrent use.
type Target struct {
	cfg    Config
	timing Timing
	base   string
	opt    Options
	// replicas are its addresses; base is the first.
	replicas []replica
	unary    *http.Client
	// shared are the transports of requests over reused connections: HTTP/1.1, HTTP/2.
	shared [2]*http.Transport
	// wary is set once the server has closed a connection in the way of a call.
	wary atomic.Bool
	// timeouts adapts the limits of waits to the waits that the run has seen so far.
	timeouts *adaptiveTimeout
	requests atomic.Int64
	open     atomic.Int64  // requests whose answers haven't ended
	refused  atomic.Int64  // when a connection was, in nanoseconds of Unix time; 0 is never
	killed   atomic.Int64  // programs that the suite has killed and not yet started again
	epochs   atomic.Int64  // scenarios that have called Epoch
	bulky    chan struct{} // of scenarios that hold much, one each
	large    chan struct{} // of readers of a frame that is large, one each
	limiter  *rate.Limiter // nil: as many requests as there are
	// redactor is made once: every header of every exchange is redacted.
	redactor *redact.Redactor

	mu    sync.Mutex
	http2 *offer
	names int
}

type offer struct {
	sync.Mutex
	requested bool
	reason    string // "" when HTTP/2 is offered
}

// New makes a target of a config. The error describes the mistake in the config.
func New(cfg Config, opt Options) (*Target, error) {
	cfg = cfg.withDefaults()
	replicas, err := newReplicas(cfg)
	if err != nil {
		return nil, err
	}
	for _, section := range cfg.Sections {
		if v := reflect.Indirect(reflect.ValueOf(section)); v.Kind() != reflect.Struct {
			return nil, fmt.Errorf("sections of the config: %T is no section of a pack; expected a struct, or a pointer to one", section)
		}
	}
	if opt.TLS == nil {
		if opt.TLS, err = cfg.TLS.Client(); err != nil {
			return nil, err
		}
	}
	if opt.Prefix == "" {
		var b [5]byte
		if _, err := rand.Read(b[:]); err != nil {
			return nil, fmt.Errorf("choosing a run prefix: %w", err)
		}
		opt.Prefix = "sc-" + hex.EncodeToString(b[:])
	}
	timing := cfg.Timing.scaled()
	if cfg.Limits.Silence > 0 {
		timing.Idle = min(timing.Idle, cfg.Limits.Silence)
	}
	t := &Target{cfg: cfg, timing: timing, base: replicas[0].base, replicas: replicas, opt: opt, http2: &offer{}, bulky: make(chan struct{}, bulky), large: make(chan struct{}, largeReaders),
		redactor: cfg.Redactor()}
	if cfg.Limits.Rate > 0 {
		t.limiter = rate.NewLimiter(rate.Limit(cfg.Limits.Rate), 1)
	}
	t.timeouts = &adaptiveTimeout{deadline: t.timing.Deadline, delivery: t.timing.Delivery}
	t.shared = [2]*http.Transport{t.transport(nil, false, maxIdleStreams), t.transport(nil, true, maxIdleStreams)}
	t.unary = httpclient.New(t.transport(nil, opt.HTTP2, 64), httpclient.Options{})
	return t, nil
}

// Close drops the idle connections.
func (t *Target) Close() {
	t.unary.CloseIdleConnections()
	for _, tr := range t.shared {
		tr.CloseIdleConnections()
	}
}

// maxIdleStreams limits the idle connections for streams.
const maxIdleStreams = 8

// transportForReuse returns the transport of requests over reused connections.
func (t *Target) transportForReuse(http2 bool) *http.Transport {
	if http2 {
		return t.shared[1]
	}
	return t.shared[0]
}

// URL returns the base of the target's routes.
func (t *Target) URL() string { return t.cfg.URL }

// Origin returns the Origin header that a page of the server itself sends, such as http://127.0.0.1:8080.
func (t *Target) Origin() string {
	at, err := url.Parse(t.base)
	if err != nil { // New has read it
		return ""
	}
	return at.Scheme + "://" + at.Host
}

// Identity returns the server's name, version and commit from the config; each may be "".
func (t *Target) Identity() (name, version, commit string) {
	return t.cfg.Name, t.cfg.Version, t.cfg.Commit
}

// Timing returns the bound of every wait, scaled.
func (t *Target) Timing() Timing { return t.timing }

// Limits returns the limits for the server's responses, with defaults.
func (t *Target) Limits() Limits { return t.cfg.Limits }

// By is when a frame must have come that is awaited from now on. After waits for
// frames have run out three times it is no later than a healthy one needs.
func (t *Target) By() time.Time { return time.Now().Add(t.timeouts.limit(forFrame)) }

// Claims reports whether the server claims a capability.
func (t *Target) Claims(capability string) bool {
	for _, w := range t.cfg.Without {
		if w == capability {
			return false
		}
	}
	// Without a configured credential there is nothing that could be missing.
	return capability != "auth" || len(t.cfg.Headers) > 0
}

// longestIdle limits the time that an unused connection for unary calls stays open.
const longestIdle = 100 * time.Millisecond

func (t *Target) transport(c *conns, h2 bool, idle int) *http.Transport {
	dialer := &net.Dialer{Timeout: t.timing.Deadline}
	protocols := new(http.Protocols)
	switch {
	case !h2:
		protocols.SetHTTP1(true)
	case strings.HasPrefix(t.base, "https:"):
		protocols.SetHTTP2(true)
	default:
		protocols.SetUnencryptedHTTP2(true)
	}
	return httpclient.Transport(httpclient.Connections{
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if c == nil {
				return t.dial(ctx, dialer, network, addr)
			}
			n, err := t.dial(ctx, c.dialer(dialer), network, addr)
			if err != nil {
				return n, err
			}
			c.add(n)
			return &early{Conn: n}, nil
		},
		TLS: t.opt.TLS.Clone(), Handshake: t.timing.Deadline, MaxIdle: idle, Protocols: protocols,
		// A server may close an idle connection, and a request that is sent at that moment is lost without a refusal.
		Idle: longestIdle,
	})
}

// OffersHTTP2 reports whether the server speaks HTTP/2 at all, and if not, the reason. It
// requests a stream that isn't there, once unless
// the server could not be reached, or the context ended meanwhile.
func (t *Target) OffersHTTP2(ctx context.Context, route Route) (bool, string) {
	t.http2.Lock()
	defer t.http2.Unlock()
	if !t.http2.requested {
		err := t.requestHTTP2(ctx, route)
		t.http2.requested, t.http2.reason = err == nil || ctx.Err() == nil && !Unreached(err), ""
		if err != nil {
			t.http2.reason = "the server did not answer over HTTP/2"
		}
	}
	return t.http2.reason == "", t.http2.reason
}

func (t *Target) requestHTTP2(ctx context.Context, route Route) error {
	ctx, cancel := context.WithTimeout(ctx, t.timing.Deadline)
	defer cancel()
	c := &conns{}
	tr := counted{t.transport(c, true, 0), t}
	defer c.abort()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.base+t.ofStream(route, t.opt.Prefix+"-http2"), nil)
	if err != nil {
		return err
	}
	t.sign(req, nil)
	res, err := tr.RoundTrip(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// EscapeSegment percent-encodes a stream id as one path segment. Unlike
// url.PathEscape it leaves no dot segment that a client or proxy could resolve.
func EscapeSegment(s string) string {
	if s == "." || s == ".." {
		return strings.ReplaceAll(s, ".", "%2E")
	}
	return url.PathEscape(s)
}

// sign adds the configured headers, but not those named in leave.
func (t *Target) sign(req *http.Request, leave map[string]bool) {
	for name, v := range t.cfg.Headers {
		if !leave[strings.ToLower(name)] && req.Header.Get(name) == "" {
			req.Header.Set(name, v)
		}
	}
}

// name coins a stream id that no other scenario of any run uses.
func (t *Target) name() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names++
	return fmt.Sprintf("%s-%d", t.opt.Prefix, t.names)
}

// fewOpen is the number of concurrent requests that every server answers.
const fewOpen = 16

// concurrentRequests returns the number of other open requests, 0 if they are few.
func (t *Target) concurrentRequests() int {
	if n := int(t.open.Load()) - 1; n >= fewOpen {
		return n
	}
	return 0
}

// Prefix begins the id of every stream of this run.
func (t *Target) Prefix() string { return t.opt.Prefix }

// TimeoutError reports that an expected event did not come in time.
type TimeoutError struct {
	Awaited string // description of the event that didn't come
	After   time.Duration
	// OpenRequests is the number of other open requests, if nothing came at all; 0 if they are too few to be the reason.
	OpenRequests int
}

func (e *TimeoutError) Error() string {
	if e.OpenRequests > 0 {
		return fmt.Sprintf("%s did not come within %v, while %d other requests were open", e.Awaited, e.After, e.OpenRequests)
	}
	return fmt.Sprintf("%s did not come within %v", e.Awaited, e.After)
}

// LimitError reports that the server sent more than the suite stores.
type LimitError struct {
	What  string
	Limit int64 // bytes
}

func (e *LimitError) Error() string { return fmt.Sprintf("%s exceeds %d bytes", e.What, e.Limit) }

// IsTooLarge reports whether an error reports that an answer, a frame or a scenario is larger than the suite reads: a server may
// write each character as an escape.
func IsTooLarge(err error) bool {
	return errors.As(err, new(*LimitError)) || errors.As(err, new(*wire.LimitError))
}

// UnavailableError reports that the server has no such control route.
type UnavailableError struct {
	Call   string // method and path template
	Status int    // 0 if no request was sent
	Reason string // why not; "" where it was
}

func (e *UnavailableError) Error() string {
	if e.Reason != "" {
		return e.Reason
	}
	return fmt.Sprintf("control call %s answered %d", e.Call, e.Status)
}

// IsUnavailable reports whether err is an *UnavailableError and returns it.
func IsUnavailable(err error) (*UnavailableError, bool) {
	var u *UnavailableError
	ok := errors.As(err, &u)
	return u, ok
}

// StreamURL returns the URL of a stream at a route.
func (t *Target) StreamURL(r Route, stream string) string { return t.base + t.ofStream(r, stream) }

// Client returns a client for readers outside the kit, with its connections. It follows no redirect, because requests
// carry the secrets of the config, and reads no more than a scenario may.
func (t *Target) Client() *http.Client {
	return httpclient.New(counted{t.transport(nil, t.opt.HTTP2, 1), t}, httpclient.Options{Body: t.cfg.Limits.Scenario})
}

// RequestHeaders returns the configured headers. Their values are secrets.
func (t *Target) RequestHeaders() map[string]string { return maps.Clone(t.cfg.Headers) }

// Credentials returns the names of the configured headers in lower case.
func (t *Target) Credentials() []string {
	var out []string
	for name := range t.cfg.Headers {
		out = append(out, strings.ToLower(name))
	}
	return out
}

// HasControlToken reports whether the config has a token for control calls.
func (t *Target) HasControlToken() bool { return t.cfg.ControlToken != "" }

// Without lists the capabilities that the config declares absent.
func (t *Target) Without() []string { return append([]string{}, t.cfg.Without...) }
