package helix

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/streamcert/streamcert/reference/model"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// Options configure a handler. The zero value of each field means its default.
type Options struct {
	// Store stores the streams; a new store.Memory by default.
	Store store.Store
	// Validate checks one chunk, given as compact JSON; its error refuses the complete write with 400. By default every
	// JSON value is a chunk: package reference has the rules.
	Validate func(chunk []byte) error

	// StreamID reads a stream id from one escaped path segment; url.PathUnescape by default.
	StreamID func(segment string) (string, error)
	// Cursor reads where a reader wants to start; ParseCursor by default.
	Cursor func(stream string, r *http.Request) (Cursor, error)
	// Attach subscribes a reader to its stream. By default it is the store's Subscribe.
	Attach func(context.Context, store.Store, Reader) (store.Subscription, error)
	// Snapshot answers a request for a snapshot. By default it is the one that is taken.
	Snapshot func(context.Context, Take, SnapshotRequest) (Snapshot, error)
	// Runtime changes the ports of the server's runtime, which have all defaults set. It is called once for each server; by
	// default it returns its argument.
	Runtime func(runtime.Ports) runtime.Ports
	// Model is the language model of agents that a user writes to, and returns the results of their tools; without one, no
	// user can write to an agent.
	Model *model.Client
	// Encoder makes the encoder of one response; one Frames for all by default.
	Encoder func(Reader) Encoder

	// Heartbeat is the silence after which a comment is sent; 15 s by default, negative for never.
	Heartbeat time.Duration
	// Clock measures the silence; the time of day by default.
	Clock Clock
	// Now returns the time of a snapshot; the time of day by default.
	Now func() time.Time
	// ReaderToken, if set, must come as a bearer token with every request of a reader.
	ReaderToken string
	// ControlToken, if set, must come as X-Streamcert-Control with every control call.
	ControlToken string
	// KnownHost reports whether control calls may use a host name, in addition to the server's addresses and those of this
	// machine: none by default. A server with a ControlToken accepts every name.
	KnownHost func(name string) bool
	// MaxBody is the largest body of a control call in bytes; 16 MiB by default.
	MaxBody int64
	// BodyTimeout limits the time for receiving a body; 1 minute by default.
	BodyTimeout time.Duration
	// Logger logs responses with status 500; none by default.
	Logger *slog.Logger
}

// Reader is one request to read a stream.
type Reader struct {
	Stream  string        // as the path names it
	Cursor  Cursor        // of the request; the zero value reads from the beginning
	Request *http.Request // only for its headers and its context
}

// Clock makes timers.
type Clock interface {
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a *time.Timer.
type Timer interface {
	Reset(d time.Duration) bool
	Stop() bool
}

// WithDefaults returns the options with every default filled in, so that a decorator has something to wrap.
func (o Options) WithDefaults() Options {
	if o.Store == nil {
		o.Store = new(store.Memory)
	}
	if o.Validate == nil {
		o.Validate = func([]byte) error { return nil }
	}
	if o.StreamID == nil {
		o.StreamID = url.PathUnescape
	}
	if o.Cursor == nil {
		o.Cursor = func(_ string, r *http.Request) (Cursor, error) { return ParseCursor(r) }
	}
	if o.Attach == nil {
		o.Attach = func(ctx context.Context, s store.Store, r Reader) (store.Subscription, error) {
			return s.Subscribe(ctx, r.Stream, r.Cursor.After)
		}
	}
	if o.Snapshot == nil {
		o.Snapshot = func(ctx context.Context, take Take, r SnapshotRequest) (Snapshot, error) { return take(ctx, r.Partial) }
	}
	if o.Runtime == nil {
		o.Runtime = func(p runtime.Ports) runtime.Ports { return p }
	}
	if o.Encoder == nil {
		o.Encoder = func(Reader) Encoder { return Frames{} }
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.KnownHost == nil {
		o.KnownHost = func(string) bool { return false }
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.Heartbeat = cmp.Or(o.Heartbeat, 15*time.Second)
	o.MaxBody = cmp.Or(o.MaxBody, 16<<20)
	o.BodyTimeout = cmp.Or(o.BodyTimeout, time.Minute)
	return o
}

type systemClock struct{}

func (systemClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }
