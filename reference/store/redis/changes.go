package redis

import (
	"context"
	"fmt"
	"time"
)

const (
	block = 5 * time.Second // for which one read waits
	// Between tries to reach Redis a process waits longer and longer.
	firstPause, longestPause = 20 * time.Millisecond, time.Second
)

// lastChange returns where the list of changes ends.
func (c *client) lastChange(ctx context.Context) (string, error) {
	answer, err := c.do(ctx, c.o.Timeout, "XREVRANGE", c.o.Prefix+"changes", "+", "-", "COUNT", 1)
	if err != nil {
		return "", err
	}
	at, _, err := changed(answer, "0-0")
	return at, err
}

// changed reads rows of the list of changes: the id of the last one, or at if there is none, and the streams that they name.
func changed(answer any, at string) (string, map[string]bool, error) {
	names := map[string]bool{}
	rows, ok := answer.([]any)
	for _, row := range rows {
		parts, _ := row.([]any)
		if ok = len(parts) == 2; !ok {
			break
		}
		fields, _ := parts[1].([]any)
		if ok = len(fields) == 2; !ok {
			break
		}
		at, names[text(fields[1])] = text(parts[0]), true
	}
	if !ok {
		return "", nil, fmt.Errorf("redis: %w: the list of changes", errAnswer)
	}
	return at, names, nil
}

// wait returns the changes after an id once there are some, and none after a while.
func (c *client) wait(at string) (string, map[string]bool, error) {
	answer, err := c.do(c.closing, block+c.o.Timeout, "XREAD", "COUNT", 1000, "BLOCK", block.Milliseconds(), "STREAMS", c.o.Prefix+"changes", at)
	if err != nil || answer == nil {
		return at, nil, err
	}
	lists, _ := answer.([]any)
	if len(lists) == 1 {
		if list, _ := lists[0].([]any); len(list) == 2 {
			return changed(list[1], at)
		}
	}
	return "", nil, fmt.Errorf("redis: %w: a read of the changes", errAnswer)
}

// follow waits for changes, of all streams in one read, and has the hubs of those that have readers here read on.
func (s *hubs) follow(at string) {
	pause := firstPause
	for s.client.closing.Err() == nil {
		next, names, err := s.client.wait(at)
		if err != nil {
			at, pause = s.reconnect(at, pause)
			continue
		}
		at, pause = next, firstPause
		s.pollChanges(func(name string) bool { return names[name] })
	}
}

// reconnect waits and then reads everything, since it is unknown what changed.
func (s *hubs) reconnect(at string, pause time.Duration) (string, time.Duration) {
	select {
	case <-s.client.closing.Done():
		return at, pause
	case <-time.After(pause):
	}
	last, err := s.client.lastChange(s.client.closing)
	if err != nil {
		return at, min(2*pause, longestPause)
	}
	s.pollChanges(func(string) bool { return true })
	return last, firstPause
}

// pollChanges makes hubs read new events.
func (s *hubs) pollChanges(changed func(name string) bool) {
	// helix.replicas.live, helix.replicas.finished, helix.replicas.truncated, helix.replicas.status: whichever process made
	// the change, every process hears of it, and has its readers read the log and the notices.
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, lives := range s.open {
		if !changed(name) {
			continue
		}
		for _, h := range lives {
			h.refresh()
		}
	}
}
