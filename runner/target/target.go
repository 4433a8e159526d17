package target

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/time/rate"

	"github.com/streamcert/streamcert/runner/httpclient"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target/config"
	"github.com/streamcert/streamcert/runner/target/connection"
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

// Target is a server under test. It is safe for concurrent use: what isn't a part with a lock, or an atomic, is set by
// New and never changes.
type Target struct {
	cfg    Config // with defaults
	timing Timing // of cfg, scaled

	routes
	credentials
	namer
	fleet
	traffic
	*adaptiveTimeout

	network   connection.Network // makes the connections of all sessions
	overHTTP2 bool               // every request goes over HTTP/2
	wary      atomic.Bool        // set once the server has closed a connection under a call; it stays set

	unary *http.Client // for requests whose answers are documents; it reuses connections
	// shared are the transports of requests over reused connections: HTTP/1.1, HTTP/2.
	shared [2]*http.Transport
	bulky  chan struct{} // of scenarios that hold much, one each
	large  chan struct{} // of readers of a frame that is large, one each
	http2  offer         // whether the server offers it
}

// offer records whether the server speaks HTTP/2, once it was requested.
type offer struct {
	sync.Mutex
	requested bool   // reason is set
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
	t := &Target{cfg: cfg, timing: timing, bulky: make(chan struct{}, bulky), large: make(chan struct{}, largeReaders)}
	t.base, t.templates, t.replicas = replicas[0].base, cfg.Routes, replicas
	t.headers, t.controlToken, t.sections, t.redactor = cfg.Headers, cfg.ControlToken, cfg.Sections, cfg.Redactor()
	t.prefix = opt.Prefix
	t.network.Deadline, t.network.TLS, t.network.Secure = timing.Deadline, opt.TLS, strings.HasPrefix(t.base, "https:")
	t.overHTTP2 = opt.HTTP2
	if cfg.Limits.Rate > 0 {
		t.limiter = rate.NewLimiter(rate.Limit(cfg.Limits.Rate), 1)
	}
	t.adaptiveTimeout = &adaptiveTimeout{deadline: timing.Deadline, delivery: timing.Delivery}
	t.shared = [2]*http.Transport{t.network.Transport(nil, false, maxIdleStreams), t.network.Transport(nil, true, maxIdleStreams)}
	t.unary = httpclient.New(t.network.Transport(nil, opt.HTTP2, 64), httpclient.Options{})
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

// Wary reports whether a call ever met a connection that the server was closing because it was idle. From then on every
// call uses a new connection.
func (t *Target) Wary() bool { return t.wary.Load() }

// URL returns the base of the target's routes.
func (t *Target) URL() string { return t.cfg.URL }

// Identity returns the server's name, version and commit from the config; each may be "".
func (t *Target) Identity() (name, version, commit string) {
	return t.cfg.Name, t.cfg.Version, t.cfg.Commit
}

// Timing returns the bound of every wait, scaled.
func (t *Target) Timing() Timing { return t.timing }

// Limits returns the limits for the server's responses, with defaults.
func (t *Target) Limits() Limits { return t.cfg.Limits }

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
	c := &connection.Set{}
	tr := counted{t.network.Transport(c, true, 0), &t.traffic}
	defer c.Abort()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.base+t.ofStream(route, t.prefix+"-http2"), nil)
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

// Client returns a client for readers outside the kit, with its connections. It follows no redirect, because requests
// carry the secrets of the config, and reads no more than a scenario may.
func (t *Target) Client() *http.Client {
	return httpclient.New(counted{t.network.Transport(nil, t.overHTTP2, 1), &t.traffic}, httpclient.Options{Body: t.cfg.Limits.Scenario})
}

// Without lists the capabilities that the config declares absent.
func (t *Target) Without() []string { return append([]string{}, t.cfg.Without...) }

// SectionOf returns the target's config section of type T, with defaults for the keys that it doesn't set.
func SectionOf[T any](t *Target) T {
	var out T
	for _, section := range t.cfg.Sections {
		if v, ok := reflect.Indirect(reflect.ValueOf(section)).Interface().(T); ok {
			out = v
		}
	}
	config.SetDefaults(&out)
	return out
}

// Settings returns the keys of the config that were set, a line each, without secrets.
func (t *Target) Settings() []string {
	var out []string
	for _, s := range t.cfg.Settings {
		out = append(out, t.Redact(s))
	}
	return out
}

// Model returns the language model of the server, which the kit plays; nil if it doesn't.
func (t *Target) Model() *provider.Provider { return t.cfg.Model.Player }

// ModelConfig returns the config's section model; its zero value if the suite plays no model.
func (t *Target) ModelConfig() Model { return t.cfg.Model }

// Scripts reports whether the suite may use the control binding.
func (t *Target) Scripts() bool { return !t.cfg.Model.Only }
