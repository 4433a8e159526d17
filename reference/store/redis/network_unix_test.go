//go:build unix

package redis_test

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/redis"
	"github.com/streamcert/streamcert/reference/store/redis/redistest"
)

// TestPausedRedis: Redis is stopped for a while and continues. It may then perform commands that it had received.
func TestPausedRedis(t *testing.T) {
	server := redistest.Start(t)
	f := begin(t, open(t, server, redis.Options{Timeout: 300 * time.Millisecond}))
	for range 3 {
		f.healthy()
		server.Signal(syscall.SIGSTOP)
		if err := f.write(); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("while Redis is stopped: %v", err)
		}
		server.Signal(syscall.SIGCONT)
	}
	f.end()
}
