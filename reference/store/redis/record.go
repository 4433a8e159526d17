package redis

import (
	"context"
	"fmt"
	"strconv"

	"github.com/streamcert/streamcert/reference/store"
)

// Record implements store.Store.
func (s *Store) Record(ctx context.Context, name string) ([]byte, int64, error) {
	answer, err := s.do(ctx, s.o.Timeout, "HMGET", s.o.Prefix+"record:"+name, "v", "t")
	if err != nil {
		return nil, 0, err
	}
	fields, _ := answer.([]any)
	if len(fields) != 2 {
		return nil, 0, fmt.Errorf("redis: %w: %d fields of record %s, expected 2", errAnswer, len(fields), name)
	}
	if fields[0] == nil {
		return nil, 0, nil
	}
	n, err := strconv.ParseInt(text(fields[0]), 10, 64)
	if err != nil {
		return nil, 0, fmt.Errorf("redis: the version of record %s: %w", name, err)
	}
	return []byte(text(fields[1])), n, nil
}

// SetRecord implements store.Store. A record of a stream is stored for as long as that, another one for Options.Retention after
// it was set. A text that is larger than a stream may be is refused by store.ErrStreamFull.
func (s *Store) SetRecord(ctx context.Context, key store.Key, version int64, text []byte) error {
	if int64(len(text)) > s.o.MaxStream {
		return fmt.Errorf("%w of %d bytes", store.ErrStreamFull, s.o.MaxStream)
	}
	args := []any{s.o.Prefix + "record:" + key.Name, version, text, max(0, s.o.Retention.Milliseconds())}
	_, err := s.run(ctx, s.scripts.record, key.Stream, args...)
	return err
}

// ForgetRecords implements store.Store.
func (s *Store) ForgetRecords(ctx context.Context, stream string) error {
	_, err := s.run(ctx, s.scripts.forget, stream)
	return err
}
