package helix_test

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// TestABodyCostsWhatHasCome: a length that is promised costs nothing, and a body
// that never comes is given up.
func TestABodyCostsWhatHasCome(t *testing.T) {
	s := serve(t, helix.Options{BodyTimeout: 1500 * time.Millisecond})
	address := strings.TrimPrefix(s.url, "http://")
	held := func() uint64 { // without garbage of other tests
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	var idle []net.Conn
	for range 40 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST /control/streams/s/end HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 16000000\r\n\r\n{", address)
		idle = append(idle, c)
	}
	time.Sleep(500 * time.Millisecond)
	if after := held(); after > before+100<<20 {
		t.Errorf("%d idle connections cost %d MiB", len(idle), (after-before)>>20)
	}
	for _, c := range idle {
		if err := c.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 408") {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	s.open("s") // others are served all the while
}

func TestAFullStore(t *testing.T) {
	s := serve(t, helix.Options{Store: &store.Memory{MaxStream: 30_000, MaxTotal: 50_000}})
	chunk := textOf(1, strings.Repeat("x", 10_000))
	var got []string
	for _, stream := range []string{"a", "b"} {
		s.open(stream)
		for range 3 {
			got = append(got, s.write(stream, chunk)[:3])
		}
	}
	if text := strings.Join(got, " "); text != "201 201 413 201 201 507" && text != "201 201 413 201 201 413" {
		t.Error(text)
	}
	if got := s.write("b", chunk); !strings.Contains(got, "larger than the limit") {
		t.Error(got)
	}
	s.want("204", "DELETE", "/control/streams/a", "")
	s.control("b", "reset", "")
	s.write("b", chunk)
	s.want("201 "+`{"sequences":[4]}`, "POST", "/control/streams/b/writers/"+s.writer+"/chunks", chunk)
}

// TestPagesDriveNothing: requests that a page of another origin can make a browser send reach no control route, under no
// name that resolves here.
func TestPagesDriveNothing(t *testing.T) {
	s := serve(t, helix.Options{KnownHost: func(name string) bool { return name == "reference" }})
	withToken := serve(t, helix.Options{ControlToken: "t"})
	own := strings.TrimPrefix(s.url, "http://")
	const body = `{"agentId":"a","agentType":"t"}`
	for _, c := range []struct {
		status string
		header []string
	}{
		{"201", nil},
		{"201", []string{"Content-Type: application/json; charset=utf-8"}},
		{"415", []string{"Content-Type: text/plain"}},
		{"415", []string{"Content-Type: application/x-www-form-urlencoded"}},
		{"415", []string{"Content-Type: "}},
		{"403", []string{"Origin: http://evil.example"}},
		{"403", []string{"Origin: null"}},
		{"403", []string{"Origin: http://localhost:1"}},
		{"201", []string{"Origin: http://" + own}},
		{"403", []string{"Host: evil.example", "Origin: http://evil.example"}},
		{"403", []string{"Host: evil.example"}},
		{"403", []string{"Host: localhost.evil.example:80"}},
		{"403", []string{"Host: 127.0.0.1.evil.example"}},
		{"201", []string{"Host: localhost:1"}},
		{"201", []string{"Host: a.localhost"}},
		{"201", []string{"Host: [::1]:8080"}},
		{"201", []string{"Host: reference:8080"}},
	} {
		if got := s.call("POST", "/control/streams/s/writers", body, c.header...); !strings.HasPrefix(got, c.status) {
			t.Errorf("%q: got %s, want %s", c.header, got, c.status)
		}
		if got := s.call("DELETE", "/control/streams/none", "", c.header...); c.status == "403" && !strings.HasPrefix(got, "403") {
			t.Errorf("DELETE, %q: got %s", c.header, got)
		}
	}
	if got := withToken.call("POST", "/control/streams/s/writers", body, "Host: evil.example", "X-Streamcert-Control: t"); !strings.HasPrefix(got, "201") {
		t.Error("who has the token is refused:", got)
	}
}
