package redis_test

import (
	"crypto/tls"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/store/redis"
	"github.com/streamcert/streamcert/reference/store/redis/redistest"
)

// TestURLs: a store is reached by TCP, by TLS and by a socket, with a user, a password and a database.
func TestURLs(t *testing.T) {
	folder, err := os.MkdirTemp("", "") // the paths of sockets are short
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	socket := filepath.Join(folder, "s")
	server := redistest.Start(t, "--unixsocket", socket, "--user", "alice", "on", ">p@ss", "~*", "&*", "+@all")
	secure := newTLS(t, server.Addr)
	conn := dial(t, server) // from before it needs a password
	defer conn.Close()
	_, err = conn.Do("CONFIG", "SET", "requirepass", "pass")
	must(t, err)
	for url, want := range map[string]string{ // the database, or a word of the error
		"redis://alice:p%40ss@" + server.Addr:                  "0",
		"redis://:pass@" + server.Addr + "/3":                  "3",
		"redis://default:pass@" + server.Addr + "?db=4":        "4",
		"unix://alice:p%40ss@" + socket + "?db=5":              "5",
		"rediss://:pass@" + secure + "/6?skip_verify=true":     "6",
		"rediss://:pass@" + secure + "/6":                      "certificate",
		"redis://:wrong@" + server.Addr:                        "WRONGPASS",
		"redis://alice:pass@" + server.Addr:                    "WRONGPASS",
		"redis://" + server.Addr:                               "NOAUTH",
		"redis://:pass@" + server.Addr + "/999":                "index is out of range",
		"unix://alice:p%40ss@" + filepath.Join(folder, "none"): "no such file",
	} {
		s, err := redis.Open(t.Context(), url, redis.Options{Prefix: "p:", Timeout: time.Second})
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v; expected %q", url, err, want)
			}
			continue
		}
		_, err = s.OpenWriter(t.Context(), want)
		must(t, err)
		must(t, s.Close())
		// INFO keyspace has a line for each database that isn't empty.
		keys, err := conn.Do("INFO", "keyspace")
		must(t, err)
		if text := string(keys.([]byte)); !strings.Contains(text, "db"+want+":") {
			t.Errorf("%s: nothing is stored in database %s: %s", url, want, text)
		}
		_, err = conn.Do("FLUSHALL")
		must(t, err)
	}
}

// newTLS starts a TLS proxy to a Redis and returns its address.
func newTLS(t *testing.T, to string) string {
	t.Helper()
	web := httptest.NewTLSServer(nil) // it has a certificate
	config := web.TLS.Clone()
	web.Close()
	config.NextProtos = nil
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	must(t, err)
	var running sync.WaitGroup
	running.Go(func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", to)
			if err != nil {
				_ = from.Close()
				continue
			}
			for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
				running.Go(func() {
					_, _ = io.Copy(way[0], way[1]) // a connection that ends is no news
					_, _ = way[0].Close(), way[1].Close()
				})
			}
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		running.Wait()
	})
	return l.Addr().String()
}

// TestIdleConnections: after a restart of Redis none of the connections from before it fails a call.
func TestIdleConnections(t *testing.T) {
	server := redistest.Start(t)
	s := open(t, server, redis.Options{Timeout: 5 * time.Second})
	writer, err := s.OpenWriter(t.Context(), "s")
	must(t, err)
	together := func() (failed int) {
		errs := make(chan error)
		for range 8 {
			go func() { _, err := s.Append(t.Context(), "s", writer, chunk(100_000)); errs <- err }()
		}
		for range 8 {
			if <-errs != nil {
				failed++
			}
		}
		return failed
	}
	for range 3 {
		if n := together(); n > 0 {
			t.Errorf("%d of 8 calls failed", n)
		}
		server.Kill()
		if _, err := s.Info(t.Context(), "s"); err == nil {
			t.Error("without a Redis: no error")
		}
		server.Run()
	}
}

// TestEvictionIsWarnedOf: a Redis that removes keys when its memory is full keeps no streams.
func TestEvictionIsWarnedOf(t *testing.T) {
	for _, c := range []struct {
		memory, policy string
		warnings       int
	}{{"12mb", "allkeys-random", 1}, {"12mb", "volatile-lru", 1}, {"12mb", "noeviction", 0}, {"0", "allkeys-lru", 0}} {
		var lines []string
		server := redistest.Start(t, "--maxmemory", c.memory, "--maxmemory-policy", c.policy)
		open(t, server, redis.Options{Warn: func(line string) { lines = append(lines, line) }})
		if len(lines) != c.warnings || c.warnings > 0 && !strings.Contains(lines[0], c.policy) {
			t.Errorf("%+v: %q", c, lines)
		}
	}
}
