package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/httpserver"
)

// Options configure the address of a provider and its key.
type Options struct {
	// Listen is the address, 127.0.0.1 and a free port by default.
	Listen string
	// Key must come as a bearer token; "" takes every request that no page of another origin makes. An address that other
	// machines reach needs one.
	Key string
}

// Provider serves scripts. It is safe for concurrent use.
type Provider struct {
	options Options      // never change
	listen  net.Listener // closed by Close
	server  *http.Server
	closing context.CancelFunc // ends all requests
	done    chan struct{}      // closed when the server has stopped
	reading chan struct{}      // contains one for each request that is being decoded

	mu      sync.Mutex          // guards all below
	scripts map[string]*playing // by name; a forgotten script is in over instead
	over    map[string]bool     // names of scripts that were forgotten
	names   int                 // given away; a name is never used twice
	notes   map[string]int      // mistakes in requests, with how often each occurred
	all     int                 // requests
	marked  int                 // those for a completion that brought the marker of a script
}

// The limits on requests.
const (
	// largest limits the bytes of a request, and allLargest those of all requests that are being read.
	largest    = 4 << 20
	allLargest = 64 << 20
	// mostReading limits the requests that are decoded concurrently; others wait.
	mostReading = 8

	forBody = 30 * time.Second // for the body of a request to come
	idle    = 3 * time.Minute  // after which an unused connection is closed; longer than clients keep theirs
)

// Start listens and serves. The error states at which address it could not, or that the address needs a key.
func Start(o Options) (*Provider, error) {
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	listen, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("serving the model at %s (model.listen): %w", o.Listen, err)
	}
	if o.Key == "" && !httpserver.Loopback(listen.Addr()) {
		_ = listen.Close()
		return nil, fmt.Errorf("serving the model at %s (model.listen): other machines reach that address; expected a model.key, which requests have to bring, or 127.0.0.1", o.Listen)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &Provider{options: o, listen: listen, closing: cancel, done: make(chan struct{}), scripts: builtIn(), over: map[string]bool{}, notes: map[string]int{},
		reading: make(chan struct{}, mostReading)}
	p.server = httpserver.Server(p, httpserver.Limits{
		Header: time.Minute, Idle: idle, Bodies: httpserver.Bodies{Each: largest, All: allLargest, Within: forBody},
	}, io.Discard)
	p.server.BaseContext = func(net.Listener) context.Context { return ctx }
	go func() {
		defer close(p.done)
		if err := p.server.Serve(listen); !errors.Is(err, http.ErrServerClosed) {
			p.note("the provider has stopped serving: " + err.Error())
		}
	}()
	return p, nil
}

// URL returns the base address that clients of OpenAI are configured with; it ends in /v1.
func (p *Provider) URL() string { return "http://" + p.listen.Addr().String() + "/v1" }

// Key returns the API key that requests must have; "" for none.
func (p *Provider) Key() string { return p.options.Key }

// Close ends every answer and stops serving.
func (p *Provider) Close() {
	p.closing()
	_ = p.server.Close() // broken connections have no reader for its error
	<-p.done
}

// Add stores a script and returns its name. prefix begins the name, so that the name is recognised in any text.
func (p *Provider) Add(prefix string, s Script) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names++
	name := fmt.Sprintf("%s-m%d", prefix, p.names)
	p.scripts[name] = &playing{Script: s, name: name, over: make(chan struct{})}
	return name
}

// Forget drops a script. Who still waits at one of its barriers goes on, and who asks for it later gets the fixed answer.
func (p *Provider) Forget(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.scripts[name]; s != nil && s.over != nil {
		close(s.over)
		delete(p.scripts, name)
		p.over[name] = true
	}
}

// Release opens a barrier of a script, which stays open; false if there is no such script.
func (p *Provider) Release(name, barrier string) bool {
	p.mu.Lock()
	s := p.scripts[name]
	p.mu.Unlock()
	if s == nil {
		return false
	}
	s.release(barrier)
	return true
}

// Requested returns the number of steps of a script that were requested so far.
func (p *Provider) Requested(name string) int {
	p.mu.Lock()
	s := p.scripts[name]
	p.mu.Unlock()
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requestedSteps
}

// mostNotes bounds how many different notes are stored, and longestNote how many bytes of each: a server names paths in them.
const (
	mostNotes   = 100
	longestNote = 500
)

// Notes returns the mistakes in requests, each once and with its count if that is above 1, sorted.
func (p *Provider) Notes() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]string, 0, len(p.notes))
	for text, n := range p.notes {
		if n > 1 {
			text = fmt.Sprintf("%s (%d times)", text, n)
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}

// note counts a mistake in a request, shortened to longestNote. Beyond mostNotes, only known ones are counted.
func (p *Provider) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text = strings.ToValidUTF8(text[:min(len(text), longestNote)], "")
	if _, known := p.notes[text]; known || len(p.notes) < mostNotes {
		p.notes[text]++
	}
}

// find returns the script of a name. forgotten reports that there was one.
func (p *Provider) find(name string) (s *playing, forgotten bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.scripts[name], p.over[name]
}

// Requests returns the number of requests so far, and how many of them were for a completion and had the marker of a script
// in a message of the user.
func (p *Provider) Requests() (all, marked int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all, p.marked
}

// count counts a request or, with marked, one that had a marker.
func (p *Provider) count(marked bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if marked {
		p.marked++
	} else {
		p.all++
	}
}
