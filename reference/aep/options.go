package aep

import (
	"cmp"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/aep/agent"
)

// Options configure a handler. The zero value of each field means its default.
type Options struct {
	// Agent answers; agent.Scripted by default.
	Agent agent.Agent
	// Model decides what the agent does for a request without a script; none by default.
	Model agent.Model
	// Threads remembers conversations; new MemoryThreads by default.
	Threads Threads
	// Actions stores the actions that agents requested from clients; new MemoryActions by default.
	Actions Actions

	// Authenticate returns the user of a request; its error refuses the request. By default a bearer token is looked up in
	// Principals.
	Authenticate func(*http.Request) (principal string, err error)
	// Admit counts a request of a principal; its error refuses the request. By default it keeps Rates.
	Admit func(principal string) error
	// Decode reads the body of a request; Decode by default.
	Decode func(body []byte) (RequestBody, error)
	// Trust checks the script of a request; its error refuses the request. By default a script needs ControlToken.
	Trust func(*http.Request, *RequestBody) error
	// Cancelled returns the ids of the live requests that a cancellation ends: by default the one that it names, if it is
	// of the same principal.
	Cancelled func(live []Request, principal, id string) []string
	// Disconnected returns the ids of the live requests that end because the client of another has disconnected; none by
	// default.
	Disconnected func(live []Request, gone Request) []string
	// Journal filters the events of one response before the encoder. By default they pass unchanged.
	Journal func(Request) Journal
	// Encoder makes the encoder of one response; one Frames for all by default.
	Encoder func(Request) Encoder
	// NewID returns an id; unguessable by default.
	NewID func(IDKind) string
	// Clock gives the time and makes timers; the time of day by default.
	Clock Clock

	// Principals are the users' names by their bearer tokens. Without any, everybody is the same user.
	Principals map[string]string
	// Rates limit the requests of users, by their names. Users that aren't named have no limit.
	Rates map[string]Rate
	// MaxMessage is the largest text of one message in bytes; 1 MiB by default.
	MaxMessage int
	// MaxBody is the largest body of a request in bytes; 16 MiB by default.
	MaxBody int64
	// BodyTimeout limits the time for receiving a body; 1 minute by default.
	BodyTimeout time.Duration
	// KnownHost reports whether control calls may use a host name, in addition to the server's addresses and those of this
	// machine: none by default. A server with a ControlToken accepts every name.
	KnownHost func(name string) bool
	// Timeout limits the duration of a stream; 5 min by default, negative for ever.
	Timeout time.Duration
	// Timeouts override Timeout for agents, by their names.
	Timeouts map[string]time.Duration
	// TimeoutWhenIdle restarts the time-out of a stream with every event.
	TimeoutWhenIdle bool
	// Heartbeat is the silence after which a comment is sent; 15 s by default, negative for never.
	Heartbeat time.Duration
	// ControlToken, if set, must come as X-Streamcert-Control with every control call and every script.
	ControlToken string
	// Logger logs responses with status 500; none by default.
	Logger *slog.Logger
}

// Journal maps each event of a response to those that are sent instead: none, itself, or several.
type Journal func(Event) []Event

// Rate is a number of requests in a span of time; a Per of zero is the server's running time.
type Rate struct {
	Requests int // at most, in a span
	Per      time.Duration
}

// IDKind is the kind of thing that an id names.
type IDKind string

// The kinds of ids.
const (
	RequestID IDKind = "request"
	ThreadID  IDKind = "thread"
	MessageID IDKind = "message"
	CallID    IDKind = "call"
	ActionID  IDKind = "action"
)

// Clock returns the time and makes timers.
type Clock interface {
	Now() time.Time
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a *time.Timer.
type Timer interface {
	Reset(d time.Duration) bool
	Stop() bool
}

// WithDefaults returns the options with every default filled in, so that a decorator has something to wrap.
func (o Options) WithDefaults() Options {
	if o.Agent == nil {
		o.Agent = agent.Scripted{}
	}
	if o.Threads == nil {
		o.Threads = new(MemoryThreads)
	}
	if o.Actions == nil {
		o.Actions = new(MemoryActions)
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.Authenticate == nil {
		o.Authenticate = bearer(o.Principals)
	}
	if o.Admit == nil {
		o.Admit = (&counter{rates: o.Rates, clock: o.Clock}).admit
	}
	if o.Decode == nil {
		o.Decode = Decode
	}
	if o.Trust == nil {
		o.Trust = trust(o.ControlToken)
	}
	if o.Cancelled == nil {
		o.Cancelled = requestsOf
	}
	if o.Disconnected == nil {
		o.Disconnected = func([]Request, Request) []string { return nil }
	}
	if o.Journal == nil {
		o.Journal = func(Request) Journal { return func(e Event) []Event { return []Event{e} } }
	}
	if o.Encoder == nil {
		o.Encoder = func(Request) Encoder { return Frames{} }
	}
	if o.NewID == nil {
		o.NewID = newID
	}
	if o.KnownHost == nil {
		o.KnownHost = func(string) bool { return false }
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.MaxMessage = cmp.Or(o.MaxMessage, 1<<20)
	o.MaxBody = cmp.Or(o.MaxBody, 16<<20)
	o.BodyTimeout = cmp.Or(o.BodyTimeout, time.Minute)
	o.Timeout = cmp.Or(o.Timeout, 5*time.Minute)
	o.Heartbeat = cmp.Or(o.Heartbeat, 15*time.Second)
	return o
}

type systemClock struct{}

func (systemClock) Now() time.Time                            { return time.Now() }
func (systemClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }

// newID makes an id of 128 random bits.
func newID(kind IDKind) string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // it never fails
	return string(kind) + "-" + hex.EncodeToString(random[:])
}

// requestsOf finds a principal's request.
func requestsOf(live []Request, principal, id string) []string {
	for _, r := range live {
		// aep.cancel.foreign, aep.cancel.one: only the principal's own request of that id is cancelled.
		if r.ID == id && r.Principal == principal {
			return []string{id}
		}
	}
	return nil
}

// bearer knows users by their tokens.
func bearer(principals map[string]string) func(*http.Request) (string, error) {
	return func(r *http.Request) (string, error) {
		if len(principals) == 0 {
			return "anybody", nil
		}
		got, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			// aep.http.credential: the code auth_failed has the status 401.
			return "", refusal("auth_failed", "a bearer token is needed")
		}
		for token, name := range principals {
			if hasToken(token, got) {
				return name, nil
			}
		}
		return "", refusal("auth_failed", "the bearer token is not a valid one")
	}
}

// trust takes scripts from those who may make control calls.
func trust(token string) func(*http.Request, *RequestBody) error {
	return func(r *http.Request, ask *RequestBody) error {
		// aep.control.token: who can't make control calls can't script the agent either.
		if ask.Script != nil && !hasToken(token, r.Header.Get("X-Streamcert-Control")) {
			return &Error{Code: "control_denied", Status: http.StatusForbidden, Message: "a script needs the token of control calls"}
		}
		return nil
	}
}

// hasToken compares in constant time; without a token to have, everybody has it.
func hasToken(want, got string) bool {
	return want == "" || subtle.ConstantTimeCompare([]byte(want), []byte(got)) == 1
}

// counter counts the requests of each principal in spans of time that follow each other.
type counter struct {
	rates map[string]Rate // by principal; one without a rate has no limit
	clock Clock           // of the server

	mu    sync.Mutex      // guards spans
	spans map[string]span // by principal: the latest; nil before the first request
}

type span struct {
	started time.Time // of its first request
	count   int       // requests in it, at most the rate
}

func (c *counter) admit(principal string) error {
	rate, ok := c.rates[principal]
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock.Now()
	s, ok := c.spans[principal]
	if !ok || rate.Per > 0 && now.Sub(s.started) >= rate.Per {
		s = span{started: now}
	}
	// aep.http.rate-limit: the code rate_limit_exceeded has the status 429.
	if s.count >= rate.Requests {
		return refusal("rate_limit_exceeded", "too many requests; wait before the next one")
	}
	s.count++
	if c.spans == nil {
		c.spans = map[string]span{}
	}
	c.spans[principal] = s
	return nil
}
