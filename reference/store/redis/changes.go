package redis

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	block = 5 * time.Second // for which one read waits
	// Between tries to reach Redis a process waits longer and longer.
	firstPause, longestPause = 20 * time.Millisecond, time.Second
)

// lastChange returns where the list of changes ends.
func (s *Store) lastChange(ctx context.Context) (string, error) {
	last, err := s.client.XRevRangeN(ctx, s.o.Prefix+"changes", "+", "-", 1).Result()
	if err != nil {
		return "", unavailable(err)
	}
	if len(last) == 0 {
		return "0-0", nil
	}
	return last[0].ID, nil
}

// follow waits for changes, of all streams in one read, and asks the hubs of those that have readers here to look.
func (s *Store) follow(at string) {
	pause := firstPause
	for s.closing.Err() == nil {
		read, err := s.client.XRead(s.closing, &redis.XReadArgs{
			Streams: []string{s.o.Prefix + "changes", at}, Count: 1000, Block: block,
		}).Result()
		switch {
		case errors.Is(err, redis.Nil): // nothing happened; the readers wait on
		case err != nil:
			at, pause = s.reconnect(at, pause)
			continue
		}
		pause = firstPause
		names := map[string]bool{}
		for _, list := range read {
			for _, change := range list.Messages {
				name, _ := change.Values["s"].(string)
				names[name], at = true, change.ID
			}
		}
		s.look(func(name string) bool { return names[name] })
	}
}

// reconnect waits a while and then looks at everything, since nobody knows what changed.
func (s *Store) reconnect(at string, pause time.Duration) (string, time.Duration) {
	select {
	case <-s.closing.Done():
		return at, pause
	case <-time.After(pause):
	}
	last, err := s.lastChange(s.closing)
	if err != nil {
		return at, min(2*pause, longestPause)
	}
	s.look(func(string) bool { return true })
	return last, firstPause
}

// look asks hubs to read what is new.
func (s *Store) look(changed func(name string) bool) {
	// helix.replicas.live, helix.replicas.finished, helix.replicas.truncated, helix.replicas.status: whichever process made
	// the change, every process hears of it, and has its readers read the log and the notices.
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, lives := range s.hubs {
		if !changed(name) {
			continue
		}
		for _, h := range lives {
			h.ask()
		}
	}
}
