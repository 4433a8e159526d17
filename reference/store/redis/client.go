package redis

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/streamcert/streamcert/reference/store"
)

const (
	mostConnections = 128 // open at once; calls beyond wait for one
	mostIdle        = 16  // that stay open without a call
	longestIdle     = 30 * time.Minute
	trusted         = time.Second // for which an idle connection is used without checking that it is still open
)

// address is the Redis that a URL names.
type address struct {
	network, host  string
	tls            *tls.Config // nil without TLS
	user, password string
	database       int
}

// parse reads redis://, rediss:// and unix:// URLs. The parameter db selects the database, as the path of the first two
// does, and skip_verify accepts every certificate. Its errors don't quote the URL, which may contain a password.
func parse(text string) (address, error) {
	unreadable := errors.New("the URL of the store can't be read; expected redis://host:port/database")
	u, err := url.Parse(text)
	if err != nil || u.Opaque != "" {
		return address{}, unreadable
	}
	query := u.Query()
	database := query.Get("db")
	a := address{network: "tcp", host: net.JoinHostPort(cmp.Or(u.Hostname(), "localhost"), cmp.Or(u.Port(), "6379"))}
	a.user = u.User.Username()
	a.password, _ = u.User.Password()
	switch u.Scheme {
	case "unix":
		a.network, a.host = "unix", u.Path
	case "rediss":
		a.tls = &tls.Config{ServerName: cmp.Or(u.Hostname(), "localhost"), MinVersion: tls.VersionTLS12}
		if skip := query.Get("skip_verify"); skip != "" {
			if a.tls.InsecureSkipVerify, err = strconv.ParseBool(skip); err != nil {
				return address{}, errors.New("the URL of the store: expected skip_verify=true or false")
			}
		}
		fallthrough
	case "redis":
		database = cmp.Or(database, strings.Trim(u.Path, "/"))
	default:
		return address{}, unreadable
	}
	if a.database, err = strconv.Atoi(cmp.Or(database, "0")); err != nil || a.database < 0 || a.host == "" {
		return address{}, unreadable
	}
	for name := range query {
		if name != "db" && name != "skip_verify" {
			return address{}, errors.New("the URL of the store has an unknown parameter; expected db or skip_verify")
		}
	}
	return a, nil
}

// dial opens a connection whose answers take at most so many bytes.
func (a address) dial(ctx context.Context, timeout time.Duration, mostAnswer int64) (redis.Conn, error) {
	var dialer interface {
		DialContext(ctx context.Context, network, address string) (net.Conn, error)
	} = &net.Dialer{Timeout: timeout}
	if a.tls != nil {
		dialer = &tls.Dialer{Config: a.tls}
	}
	raw, err := dialer.DialContext(ctx, a.network, a.host)
	if err != nil {
		return nil, err
	}
	// The context of a call ends its read: a blocking one takes longer than others.
	conn := redis.NewConn(&boundedConn{Conn: raw, most: mostAnswer}, 0, timeout)
	if err := a.enter(ctx, conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// enter logs in and selects the database.
func (a address) enter(ctx context.Context, conn redis.Conn) error {
	if a.password != "" {
		args := []any{a.password}
		if a.user != "" {
			args = []any{a.user, a.password}
		}
		_, err := redis.DoContext(conn, ctx, "AUTH", args...)
		if refused := redis.Error(""); errors.As(err, &refused) {
			// A Redis that doesn't know the command quotes its arguments.
			code, _, _ := strings.Cut(string(refused), " ")
			return redis.Error(strings.ReplaceAll(code, a.password, "…") + " for the user and password of the URL")
		}
		if err != nil {
			return err
		}
	}
	if a.database == 0 {
		return nil
	}
	_, err := redis.DoContext(conn, ctx, "SELECT", a.database)
	return err
}

// client calls Redis.
//
// Invariant: at most mostConnections calls are active, each with an element of slots; once closing is done none begins.
type client struct {
	o       Options // with its defaults
	pool    *redis.Pool
	slots   chan struct{} // contains one for each active call
	failed  atomic.Int64  // when a connection failed last, in nanoseconds since 1970
	scripts scripts
	closing context.Context
	close   context.CancelFunc // ends all calls
}

// newPool returns the connections of the client, none of them open so far.
func (c *client) newPool(a address) *redis.Pool {
	return &redis.Pool{
		MaxIdle: mostIdle, IdleTimeout: longestIdle,
		DialContext: func(ctx context.Context) (redis.Conn, error) { return a.dial(ctx, c.o.Timeout, c.mostAnswer()) },
		// A Redis that restarted has closed all connections, as the first one that fails shows.
		TestOnBorrowContext: func(ctx context.Context, conn redis.Conn, used time.Time) error {
			if used.UnixNano() > c.failed.Load() && time.Since(used) < trusted {
				return nil
			}
			_, err := redis.DoContext(conn, ctx, "PING")
			return err
		},
	}
}

// mostAnswer limits an answer of Redis to this store, as boundedConn counts: one stream with its notices. eventCost covers
// an entry without its JSON: 7 elements of 16 bytes, 85 bytes of lengths and fields.
func (c *client) mostAnswer() int64 { return c.o.MaxStream + 4<<20 }

// query calls Redis for something that changes nothing. It ends with its context, after wait at the latest.
func (c *client) query(ctx context.Context, wait time.Duration, call func(context.Context, redis.Conn) (any, error)) (any, error) {
	within, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	defer context.AfterFunc(c.closing, cancel)()
	select { // the pool's own limit panics in redigo v1.9.3 where it is closed while a call waits for a place
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-within.Done():
		return nil, c.unavailable(ctx, within.Err())
	}
	conn, err := c.pool.GetContext(within)
	if err != nil {
		return nil, c.unavailable(ctx, err)
	}
	defer conn.Close()
	answer, err := call(within, conn)
	if conn.Err() != nil && within.Err() == nil {
		c.failed.Store(time.Now().UnixNano())
	}
	return answer, c.unavailable(ctx, err)
}

// change calls Redis for a change, which isn't cancelled once it has started: it would be unknown whether it was made.
func (c *client) change(ctx context.Context, call func(context.Context, redis.Conn) (any, error)) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, c.unavailable(ctx, err)
	}
	return c.query(context.WithoutCancel(ctx), c.o.Timeout, call)
}

// do calls Redis with one command that changes nothing.
func (c *client) do(ctx context.Context, wait time.Duration, command string, args ...any) (any, error) {
	return c.query(ctx, wait, func(ctx context.Context, conn redis.Conn) (any, error) {
		return redis.DoContext(conn, ctx, command, args...)
	})
}

// unavailable returns the error for a call that Redis didn't perform, or may not have performed.
func (c *client) unavailable(ctx context.Context, err error) error {
	var refused redis.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case !errors.As(err, &refused):
		return fmt.Errorf("%w: %v", store.ErrUnavailable, err)
	case strings.HasPrefix(err.Error(), "OOM "):
		return fmt.Errorf("%w: %v", store.ErrFull, err)
	// Redis is loading its data, or can't write to its disk.
	case hasAnyPrefix(err.Error(), "LOADING ", "MISCONF ", "READONLY ", "MASTERDOWN ", "BUSY "):
		return fmt.Errorf("%w: %v", store.ErrUnavailable, err)
	}
	return fmt.Errorf("redis: %w", err)
}

func (c *client) keys(name string) []any {
	p := c.o.Prefix
	return []any{p + "log:" + name, p + "notices:" + name, p + "meta:" + name, p + "steps:" + name, p + "changes", p + "records:" + name}
}

// run runs a script on a stream, and returns the values after the first word of its answer. Errors: the one that the word
// names, store.ErrUnavailable, store.ErrFull.
func (c *client) run(ctx context.Context, script script, name string, args ...any) ([]any, error) {
	all := append(append(append(c.keys(name), name), args...), store.WriterOf(ctx))
	call := func(ctx context.Context, conn redis.Conn) (any, error) { return script.DoContext(ctx, conn, all...) }
	var got any
	var err error
	if script.changes {
		got, err = c.change(ctx, call)
	} else {
		got, err = c.query(ctx, c.o.Timeout, call)
	}
	if err != nil {
		return nil, err
	}
	answer, _ := got.([]any)
	if len(answer) == 0 {
		return nil, fmt.Errorf("redis: %w: a script gave %T, expected an array", errAnswer, got)
	}
	refusals := map[string]error{
		"unknown stream": store.ErrUnknownStream, "unknown writer": store.ErrUnknownWriter, "closed": store.ErrWriterClosed,
		"finished": store.ErrFinished, "outdated": store.ErrOutdated, "started": store.ErrStarted, "full": fmt.Errorf("%w of %d bytes", store.ErrStreamFull, c.o.MaxStream),
	}
	if err := refusals[text(answer[0])]; err != nil {
		return nil, err
	}
	if text(answer[0]) != "ok" || len(answer) != 1+script.values {
		return nil, fmt.Errorf("redis: %w: a script gave %d values, expected ok and %d", errAnswer, len(answer), script.values)
	}
	return answer[1:], nil
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
