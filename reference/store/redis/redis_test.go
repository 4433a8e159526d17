package redis_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/redis"
	"github.com/streamcert/streamcert/reference/store/redis/redistest"
	"github.com/streamcert/streamcert/reference/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns a separate store in a Redis.
func open(t *testing.T, server *redistest.Server, o redis.Options) *redis.Store {
	t.Helper()
	o.Prefix = t.Name() + ":"
	s, err := redis.Open(t.Context(), server.URL, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestContract(t *testing.T) {
	server := redistest.Start(t)
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, server, redis.Options{}) })
}
