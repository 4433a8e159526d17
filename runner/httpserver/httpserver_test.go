package httpserver_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/httpserver"
)

// start serves a handler that reports on reading its body, with limits, and returns the address.
func start(t *testing.T, bodies httpserver.Bodies, read chan<- error) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if !httpserver.Loopback(l.Addr()) {
		t.Errorf("%v is not on the loopback", l.Addr())
	}
	s := httpserver.Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		read <- err
	}), httpserver.Limits{Bodies: bodies}, io.Discard)
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return l.Addr().String()
}

// begin sends a request that promises more of its body than comes, and leaves it open.
func begin(t *testing.T, address, body string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if _, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"+body); err != nil {
		t.Fatal(err)
	}
}

func TestBodiesAreBounded(t *testing.T) {
	var large *http.MaxBytesError
	read := make(chan error, 1)
	at := start(t, httpserver.Bodies{Each: 10, All: 100, Within: time.Minute}, read)
	begin(t, at, "more than ten")
	if err := <-read; !errors.As(err, &large) || errors.Is(err, httpserver.ErrFull) {
		t.Errorf("a large body: %v", err)
	}

	at = start(t, httpserver.Bodies{All: 15, Within: time.Minute}, read)
	begin(t, at, "ten bytes.")
	begin(t, at, "ten bytes.")
	if err := <-read; !errors.Is(err, httpserver.ErrFull) || !errors.As(err, &large) {
		t.Errorf("two bodies with room for one: %v", err)
	}

	at = start(t, httpserver.Bodies{All: 100, Within: 10 * time.Millisecond}, read)
	begin(t, at, "ten bytes.")
	if err := <-read; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a body that doesn't end: %v", err)
	}
}

// TestCapacityIsReleased: ended bodies release their capacity, whether they were read or not.
func TestCapacityIsReleased(t *testing.T) {
	read := make(chan error, 1)
	at := start(t, httpserver.Bodies{All: 15, Within: time.Minute}, read)
	for range 20 {
		res, err := http.Post("http://"+at, "", strings.NewReader("ten bytes."))
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if err := <-read; err != nil {
			t.Fatal(err)
		}
	}
}

func TestLocal(t *testing.T) {
	for name, c := range map[string]struct {
		host, origin, kind string
		taken              bool
	}{
		"a client":                 {"127.0.0.1:80", "", "", true},
		"by a name":                {"localhost:80", "", "application/json", true},
		"IPv6":                     {"[::1]:80", "", "", true},
		"of a container":           {"host.docker.internal:80", "", "", true},
		"of a composition":         {"runner:80", "", "", true},
		"a name of the server's":   {"kit.example.org", "", "", true},
		"rebinding":                {"evil.example.org:80", "http://evil.example.org:80", "application/json", false},
		"another page":             {"127.0.0.1:80", "https://evil.example.org", "text/plain", false},
		"a page without an origin": {"127.0.0.1:80", "null", "", false},
		"asks leave first":         {"127.0.0.1:80", "https://example.org", "application/json; charset=utf-8", true},
		"its own page":             {"127.0.0.1:80", "http://127.0.0.1:80", "", true},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		r.Header.Set("Content-Type", c.kind)
		if err := httpserver.Local(r, func(name string) bool { return name == "kit.example.org" }); (err == nil) != c.taken {
			t.Errorf("%s: %v", name, err)
		}
	}
}
