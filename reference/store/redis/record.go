package redis

import (
	"context"
	"fmt"
	"strconv"

	"github.com/streamcert/streamcert/reference/store"
)

// Record implements store.Store.
func (s *Store) Record(ctx context.Context, name string) ([]byte, int64, error) {
	fields, err := s.client.HMGet(ctx, s.o.Prefix+"record:"+name, "v", "t").Result()
	if err != nil {
		return nil, 0, unavailable(err)
	}
	version, _ := fields[0].(string)
	text, _ := fields[1].(string)
	if version == "" {
		return nil, 0, nil
	}
	n, err := strconv.ParseInt(version, 10, 64)
	if err != nil {
		return nil, 0, fmt.Errorf("redis: the version of record %s: %w", name, err)
	}
	return []byte(text), n, nil
}

// SetRecord implements store.Store. A record of a stream is kept for as long as that, another one for Options.Retention after
// it was set.
func (s *Store) SetRecord(ctx context.Context, key store.Key, version int64, text []byte) error {
	args := []any{s.o.Prefix + "record:" + key.Name, version, text, max(0, s.o.Retention.Milliseconds())}
	_, err := s.run(ctx, s.scripts.record, key.Stream, args...)
	return err
}

// ForgetRecords implements store.Store.
func (s *Store) ForgetRecords(ctx context.Context, stream string) error {
	_, err := s.run(ctx, s.scripts.forget, stream)
	return err
}
