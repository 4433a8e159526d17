package target

import (
	"fmt"
	"net/url"
	"slices"
	"sort"
	"strings"
	"time"
)

// Config says how to reach a server and what it claims. Its YAML form is
// streamcert.yaml; schemas/config.json describes it.
type Config struct {
	// URL is the base of every route, such as http://127.0.0.1:8080/api.
	URL string
	// Routes are the path templates of the certified requests. {stream} stands
	// for the percent-encoded stream id.
	Routes Routes
	// Headers are sent with every request, certified and control alike. Their
	// values are secrets: no output shows them.
	Headers map[string]string
	// ControlToken is sent as X-Streamcert-Control with control calls only. It
	// is a secret.
	ControlToken string
	// Without lists the capabilities that the server does not claim.
	Without []string
	// Timing bounds every wait.
	Timing Timing
	// Limits bounds everything that is kept of what the server sends.
	Limits Limits
	// AEP is what only requests of pack aep need.
	AEP AEP
	// TLS is how an https target is trusted.
	TLS TLS
	// Launch is how the server is started for the run; the zero value doesn't.
	Launch Launch
	// Baseline is the file of what is known to fail, Output the folder for the
	// reports; "" for none. They are for whoever runs the suite: a target makes no
	// use of them.
	Baseline string
	Output   string
	// Packs are the protocols to certify; nil leaves it to who runs the suite.
	Packs []string
}

// Routes are path templates relative to the base URL.
type Routes struct {
	Read     string // default /streams/{stream}/events
	Info     string // default /streams/{stream}
	Snapshot string // default /streams/{stream}/snapshot
	Stream   string // default /v1/agents/{agent}/stream
	Cancel   string // default /v1/agents/{agent}/requests/{requestId}/cancel
	Control  string // prefix of the control binding, default /control
}

// Timing bounds every wait of a run. Each duration is multiplied by Scale.
type Timing struct {
	Deadline  time.Duration // how long something that must come may take; default 5 s
	Quiet     time.Duration // how long silence is watched where no barrier exists; default 50 ms
	Idle      time.Duration // how long a stream is left silent to see that it stays open; default 250 ms
	Heartbeat time.Duration // the interval in which the server promises a comment; 0: it promises none
	// Scenario is how long one scenario may take in all, however often something
	// comes just in time; default 20 deadlines.
	Scenario time.Duration
	Scale    float64 // multiplies all of the above but Heartbeat; default 1
}

// Limits bounds what is kept of a server's answers, in bytes. A server that
// exceeds one is cut off there, and the exchange is broken.
type Limits struct {
	Frame    int64 // one frame of a stream; default 17 MiB: the largest chunk that must be taken, and its envelope
	Answer   int64 // the body of an answer that is no stream; default 4 MiB
	Scenario int64 // all frames and answers of one scenario, 512 more for each frame; default 32 MiB
}

// Defaults of a config that leaves them out.
func (c Config) withDefaults() Config {
	set := func(s *string, d string) {
		if *s == "" {
			*s = d
		}
	}
	set(&c.Routes.Read, "/streams/{stream}/events")
	set(&c.Routes.Info, "/streams/{stream}")
	set(&c.Routes.Snapshot, "/streams/{stream}/snapshot")
	set(&c.Routes.Stream, "/v1/agents/{agent}/stream")
	set(&c.Routes.Cancel, "/v1/agents/{agent}/requests/{requestId}/cancel")
	set(&c.Routes.Control, "/control")
	set(&c.AEP.Agent, "conformance")
	wait := func(d *time.Duration, def time.Duration) {
		if *d == 0 {
			*d = def
		}
	}
	if c.Timing.Scale == 0 {
		c.Timing.Scale = 1
	}
	wait(&c.Timing.Deadline, 5*time.Second)
	wait(&c.Timing.Quiet, 50*time.Millisecond)
	wait(&c.Timing.Idle, 250*time.Millisecond)
	wait(&c.Timing.Scenario, 20*c.Timing.Deadline)
	bound := func(n *int64, def int64) {
		if *n == 0 {
			*n = def
		}
	}
	bound(&c.Limits.Frame, 17<<20)
	bound(&c.Limits.Answer, 4<<20)
	bound(&c.Limits.Scenario, 32<<20)
	return c
}

func (t Timing) scaled() Timing {
	by := func(d time.Duration) time.Duration { return time.Duration(float64(d) * t.Scale) }
	t.Deadline, t.Quiet, t.Idle, t.Scenario = by(t.Deadline), by(t.Quiet), by(t.Idle), by(t.Scenario)
	return t
}

// ConfigError is a mistake in a config file. Error gives one line: file, line,
// what is wrong and what was expected.
type ConfigError struct {
	File    string
	Line    int // 1-based; 0 when the whole file is meant
	Message string
}

func (e *ConfigError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

func parseURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, fmt.Errorf("%q is not a URL", s)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("%q must begin with http:// or https:// and name a host", s)
	}
	return u, nil
}

func parseBase(s string) (*url.URL, error) {
	u, err := parseURL(s)
	if err != nil {
		return nil, err
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q must have no query and no fragment", s)
	}
	return u, nil
}

// secrets are the values that no output may show, longest first, so that a
// secret inside another is not left half visible.
func (c Config) secrets() []string {
	var out []string
	for _, headers := range []map[string]string{c.Headers, c.AEP.Other, c.AEP.Limited} {
		for _, v := range headers {
			out = append(out, v)
			// The word after a scheme ("Bearer x") is the secret on its own too.
			if _, word, ok := strings.Cut(v, " "); ok {
				out = append(out, word)
			}
		}
	}
	out = append(out, c.ControlToken)
	if u, err := url.Parse(c.URL); err == nil && u.User != nil {
		if p, ok := u.User.Password(); ok {
			out = append(out, p)
		}
	}
	out = slices.DeleteFunc(out, func(s string) bool { return strings.TrimSpace(s) == "" })
	sort.Slice(out, func(i, j int) bool { return len(out[i]) > len(out[j]) })
	return slices.Compact(out)
}
