package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/wire"
)

const (
	firstWait = time.Second
	lastWait  = 30 * time.Second
)

// A Live reads a stream from a server. It is a Source; it isn't safe for
// concurrent use.
type Live struct {
	URL    string
	Header http.Header
	// Again resumes after the last event when the connection breaks.
	Again bool
	// Note is called for each connection that breaks; nil is fine.
	Note func(string)
	// Wait waits before the next try; nil means a timer.
	Wait func(context.Context, time.Duration) error

	ctx    context.Context
	client *http.Client
	body   io.ReadCloser
	frames *wire.Reader
	cursor string // id of the last event
	retry  time.Duration
	tries  int // in a row that brought nothing
	some   bool
}

// StatusError says that a server answered with something other than a stream.
type StatusError struct {
	Status int
	text   string
}

func (e *StatusError) Error() string { return e.text }

// Open connects. A server that can't be reached at all is an error, Again or not.
func (l *Live) Open(ctx context.Context) error {
	l.ctx = ctx
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: lastWait, DisableCompression: true}
	l.client = &http.Client{Transport: transport, CheckRedirect: sameHost}
	return l.connect()
}

// sameHost keeps headers that may be secrets from a host that they aren't for.
func sameHost(to *http.Request, via []*http.Request) error {
	if from := via[0].URL; to.URL.Scheme != from.Scheme || to.URL.Host != from.Host {
		return fmt.Errorf("the server redirects to %s; give that URL if it is right", to.URL.Redacted())
	}
	if len(via) >= 10 {
		return errors.New("the server redirects ten times in a row")
	}
	return nil
}

// Close ends the connection.
func (l *Live) Close() error {
	if l.client != nil {
		defer l.client.CloseIdleConnections()
	}
	if l.body == nil {
		return nil
	}
	body := l.body
	l.body = nil
	return body.Close()
}

func (l *Live) connect() error {
	r, err := http.NewRequestWithContext(l.ctx, http.MethodGet, l.URL, nil)
	if err != nil {
		return fmt.Errorf("reading the URL: %w", err)
	}
	r.Header = l.Header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	for name, value := range map[string]string{"Accept": "text/event-stream", "Cache-Control": "no-cache"} {
		if r.Header.Get(name) == "" {
			r.Header.Set(name, value)
		}
	}
	if l.cursor != "" {
		r.Header.Set("Last-Event-ID", l.cursor)
	}
	answer, err := l.client.Do(r)
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	if err := refused(answer); err != nil {
		return errors.Join(err, answer.Body.Close())
	}
	l.body, l.frames = answer.Body, wire.NewReader(answer.Body, wire.Options{})
	return nil
}

// refused explains an answer that is no stream.
func refused(answer *http.Response) error {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if answer.StatusCode == http.StatusOK && kind == "text/event-stream" {
		return nil
	}
	begin, _ := io.ReadAll(io.LimitReader(answer.Body, 300))
	text := fmt.Sprintf("the server answers %d with %s, expected 200 with text/event-stream",
		answer.StatusCode, or(kind, "no Content-Type"))
	if said := strings.TrimSpace(string(begin)); said != "" {
		text += ": " + report.OneLine(said)
	}
	return &StatusError{answer.StatusCode, text}
}

// Next returns the next frame, of a new connection if the old one broke and
// Again is set.
func (l *Live) Next() (*wire.Frame, error) {
	for {
		f, err := l.next()
		switch {
		case err == nil && f == nil:
			continue
		case err == nil, !l.Again, l.ctx.Err() != nil:
			return f, err
		}
		var limit *wire.LimitError
		if errors.As(err, &limit) {
			return nil, err
		}
		if err := l.again(err); err != nil {
			return nil, err
		}
	}
}

// next returns a frame of the open connection; nil for one that isn't news.
func (l *Live) next() (*wire.Frame, error) {
	f, err := l.frames.Next()
	if err != nil {
		return nil, err
	}
	if f.HasRetry {
		l.retry = min(time.Duration(f.Retry)*time.Millisecond, lastWait)
	}
	if !f.Terminated && l.Again {
		return nil, nil // it comes again
	}
	if f.Dispatched() {
		l.some = true
		l.tries = 0
	}
	if !f.HasID || !f.Terminated {
		return f, nil
	}
	if repeated(f, l.cursor) {
		return nil, nil
	}
	l.cursor = f.ID
	return f, nil
}

// repeated says whether a server sends a chunk anew that was there before.
func repeated(f *wire.Frame, cursor string) bool {
	e, ok := eventOf(f)
	return ok && e.Kind == ChunkEvent && digits(f.ID) && digits(cursor) &&
		(len(f.ID) < len(cursor) || len(f.ID) == len(cursor) && f.ID <= cursor)
}

func digits(id string) bool {
	return id != "" && strings.Trim(id, "0123456789") == "" && (id[0] != '0' || id == "0")
}

// again connects anew, as long as there is hope.
func (l *Live) again(why error) error {
	_ = l.Close() // it is broken already
	if l.some && l.cursor == "" {
		return errors.New("the connection ended, and the stream has no ids after which it could be resumed")
	}
	for {
		wait := min(max(l.retry, firstWait)<<min(l.tries, 5), lastWait)
		if l.tries == 0 {
			wait = l.retry
		}
		l.tries++
		if l.Note != nil {
			l.Note(fmt.Sprintf("the connection ended (%s); resuming after event %s in %v",
				reason(why), or(l.cursor, "none"), wait))
		}
		if err := l.wait(wait); err != nil {
			return err
		}
		if why = l.connect(); why == nil {
			return nil
		}
		var status *StatusError
		if errors.As(why, &status) && !passing(status.Status) {
			return fmt.Errorf("resuming after event %s: %w", or(l.cursor, "none"), why)
		}
	}
}

// passing says whether a status may be another one later.
func passing(status int) bool {
	return status >= 500 || status == http.StatusRequestTimeout || status == http.StatusTooManyRequests
}

func reason(err error) string {
	if errors.Is(err, io.EOF) {
		return "the server closed it"
	}
	return err.Error()
}

func (l *Live) wait(d time.Duration) error {
	if l.Wait != nil {
		return l.Wait(l.ctx, d)
	}
	return pause(l.ctx, d)
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// everySoOften is how often a file is asked whether it grew.
const everySoOften = 200 * time.Millisecond

// Tail reads a file that still grows. It ends with the context.
func Tail(ctx context.Context, file io.Reader) io.Reader { return &tail{ctx, file} }

type tail struct {
	ctx  context.Context
	file io.Reader
}

func (t *tail) Read(b []byte) (int, error) {
	for {
		n, err := t.file.Read(b)
		if n > 0 || !errors.Is(err, io.EOF) {
			return n, err
		}
		if pause(t.ctx, everySoOften) != nil {
			return 0, io.EOF
		}
	}
}
