package redis

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gomodule/redigo/redis"
)

// warn asks Redis whether it removes keys where it runs out of memory, and warns of that. Errors: store.ErrUnavailable.
func (c *client) warn(ctx context.Context) error {
	if c.o.Warn == nil {
		return nil
	}
	answer, err := c.do(ctx, c.o.Timeout, "INFO", "memory")
	if refused := redis.Error(""); errors.As(err, &refused) { // users may lack the right to ask
		return nil
	}
	settings := map[string]string{}
	for line := range strings.Lines(text(answer)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		settings[name] = value
	}
	if policy := settings["maxmemory_policy"]; settings["maxmemory"] != "0" && policy != "" && policy != "noeviction" {
		c.o.Warn(fmt.Sprintf("the Redis of the store has maxmemory-policy %s, which removes streams when its memory is full; expected noeviction", policy))
	}
	return err
}
