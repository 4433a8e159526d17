package certify_test

import (
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/launch"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// crashingServer is a reference server that the suite hasn't started: it ends with all of its connections and streams, and comes
// back without them.
type crashingServer struct {
	t       *testing.T
	address string
	// The server ends at the request for so many writers; crashes is the number of such ends, and away the time until it is
	// back, 0 for never.
	writers, crashes int
	away             time.Duration
	// absent accepts the connections while the server is away; nil refuses them.
	absent func(net.Conn)
	// listening: only the listener ends, with nothing that is open. The system resets connections that the listener hasn't
	// accepted, so that one scenario runs at a time.
	listening bool

	mu      sync.Mutex
	server  *http.Server
	counted int
}

// serve starts the server.
func (m *crashingServer) serve(l net.Listener) {
	h := reference.New(certifytest.Options())
	server := &http.Server{}
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/writers") && m.last() {
			m.die(server, l)
			if !m.listening {
				panic(http.ErrAbortHandler)
			}
		}
		h.ServeHTTP(w, r)
	})
	m.mu.Lock()
	m.server = server
	m.mu.Unlock()
	go func() { _ = server.Serve(l) }()
}

// last counts a writer, and reports whether the server ends at it.
func (m *crashingServer) last() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counted++; m.counted < m.writers || m.crashes == 0 {
		return false
	}
	m.counted, m.crashes = 0, m.crashes-1
	return true
}

func (m *crashingServer) listen() net.Listener {
	for {
		l, err := net.Listen("tcp", m.address)
		if err == nil {
			return l
		}
		if m.t.Context().Err() != nil { // a call may have got the port
			m.t.Error(err)
			return nil
		}
	}
}

func (m *crashingServer) die(server *http.Server, l net.Listener) {
	m.t.Log("it dies")
	_ = l.Close()
	if m.listening {
		time.AfterFunc(m.away, func() {
			again := m.listen()
			if again == nil {
				return
			}
			go func() { _ = server.Serve(again) }()
		})
		return
	}
	_ = server.Close()
	stop := func() {}
	if m.absent != nil {
		other := m.listen()
		stop = func() { _ = other.Close() }
		go func() {
			for {
				c, err := other.Accept()
				if err != nil {
					return
				}
				m.absent(c)
			}
		}()
	}
	if m.away > 0 {
		time.AfterFunc(m.away, func() {
			if stop(); m.t.Context().Err() == nil {
				m.serve(m.listen())
			}
		})
	}
}

// certified certifies the server by the named requirements and returns the report.
func (m *crashingServer) certified(effort campaign.Effort, only ...string) *report.Report {
	m.t.Helper()
	free, err := launch.FreeAddresses(1) // it listens there more than once
	if err != nil {
		m.t.Fatal(err)
	}
	m.address = free[0]
	m.serve(m.listen())
	m.t.Cleanup(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		_ = m.server.Close()
	})
	cfg := certifytest.Config("http://" + m.address)
	cfg.Timing.Deadline = 2 * time.Second
	cfg.Fleet = nil
	tg, err := target.New(cfg, target.Options{})
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(tg.Close)
	concurrency := 0
	if m.listening {
		concurrency = 1
	}
	res, err := certify.Run(m.t.Context(), certifytest.Load(m.t, "helix"), certify.Options{Target: tg, Seed: 1, Only: only, Effort: effort, Concurrency: concurrency, Confirm: 5, Rows: func(_ features.Scenario, title string) bool {
		return effort == "" || title == "Writers and readers at once"
	}})
	if err != nil {
		m.t.Fatal(err)
	}
	return res.Report
}

// TestAServerThatIsGoneBreaksNoRule: a row that meets a missing server doesn't fail, and is repeated if possible.
func TestAServerThatIsGoneBreaksNoRule(t *testing.T) {
	resets := func(c net.Conn) {
		_ = c.(*net.TCPConn).SetLinger(0)
		_ = c.Close()
	}
	for _, c := range []struct {
		name   string
		m      *crashingServer
		effort campaign.Effort
		ends   int
		back   bool // in the end
		only   string
	}{
		{"comes back", &crashingServer{writers: 40, crashes: 1, away: 300 * time.Millisecond}, "", 1, true, "helix.chunks.*"},
		{"is gone for good", &crashingServer{writers: 40, crashes: 1}, "", 1, false, "helix.chunks.*"},
		{"goes again and again", &crashingServer{writers: 5, crashes: 1000, away: 50 * time.Millisecond}, "", 11, false, "helix.chunks.*"},
		{"is gone behind what takes its connections", &crashingServer{writers: 40, crashes: 1, away: 700 * time.Millisecond, absent: resets}, "", 1, true, "helix.chunks.*"},
		{"goes in a campaign", &crashingServer{writers: 2, crashes: 1, away: 300 * time.Millisecond}, campaign.Standard, 1, true, "helix.ordering.*"},
		{"refuses connections for a moment", &crashingServer{writers: 40, crashes: 1, away: 60 * time.Millisecond, listening: true}, "", 0, true, "helix.chunks.*"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.m.t = t
			rep := c.m.certified(c.effort, c.only)
			s := rep.Summary
			t.Logf("%+v %+v", s, rep.Ends)
			if s.Fail+s.Warn > 0 || len(rep.Ends) != c.ends || (s.Error == 0) != c.back || (rep.Ended == "") != c.back {
				t.Errorf("%d ends, ended %q: %+v", len(rep.Ends), rep.Ended, s)
			}
			if want := map[bool]int{true: 0, false: 3}[c.ends == 0]; rep.ExitCode(nil) != want {
				t.Errorf("exit code %d, expected %d", rep.ExitCode(nil), want)
			}
			for _, e := range rep.Ends {
				if e.Launched || e.Why == "" || e.How != "" || len(e.While) == 0 || len(e.While) > 8 {
					t.Errorf("%+v", e)
				}
			}
			for _, q := range rep.Requirements {
				if q.Verdict == report.Fail || q.Verdict == report.Warn {
					t.Log(q.ID, q.Findings[0].Message, q.Findings[0].Got)
				}
			}
		})
	}
}
