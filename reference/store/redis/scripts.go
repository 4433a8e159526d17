package redis

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/streamcert/streamcert/reference/store"
)

//go:embed lua/*.lua
var lua embed.FS

// script is one call that Redis carries out whole or not at all.
type script struct{ *redis.Script }

func newScript(name string) script {
	text := func(name string) string {
		source, err := lua.ReadFile("lua/" + name + ".lua")
		if err != nil { // the files are compiled into the program
			panic(err)
		}
		return string(source)
	}
	return script{redis.NewScript(text("stream") + text(name))}
}

type scripts struct {
	open, close, append, finish, status, cleanup, reset, initial, delete, describe, read, tail, record, forget script
}

func newScripts() scripts {
	return scripts{
		open: newScript("open"), close: newScript("close"), append: newScript("append"), finish: newScript("finish"),
		status: newScript("status"), cleanup: newScript("cleanup"), reset: newScript("reset"), initial: newScript("initial"),
		delete: newScript("delete"), describe: newScript("describe"), read: newScript("read"), tail: newScript("tail"), record: newScript("record"),
		forget: newScript("forget"),
	}
}

// run runs a script on a stream, and returns what follows the word with which it answers.
func (s *Store) run(ctx context.Context, call script, name string, args ...any) ([]any, error) {
	args = append(append([]any{name}, args...), store.WriterOf(ctx))
	answer, err := call.Run(ctx, s.client, s.keys(name), args...).Slice()
	if err != nil {
		return nil, unavailable(err)
	}
	word, _ := answer[0].(string)
	refusals := map[string]error{
		"unknown stream": store.ErrUnknownStream, "unknown writer": store.ErrUnknownWriter, "closed": store.ErrWriterClosed,
		"finished": store.ErrFinished, "outdated": store.ErrOutdated, "started": store.ErrStarted, "full": fmt.Errorf("%w of %d bytes", store.ErrStreamFull, s.o.MaxStream),
	}
	return answer[1:], refusals[word]
}

// unavailable says what became of a call that Redis didn't carry out, or of which nobody knows.
func unavailable(err error) error {
	var refused redis.Error
	var network net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &refused) && strings.HasPrefix(err.Error(), "OOM "):
		return fmt.Errorf("%w: %v", store.ErrFull, err)
	// Redis loads what it has kept, or can't write to its disk.
	case errors.As(err, &refused) && !hasAnyPrefix(err.Error(), "LOADING ", "MISCONF ", "READONLY ", "MASTERDOWN ", "BUSY "):
		return fmt.Errorf("redis: %w", err)
	case errors.As(err, &refused), errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, context.DeadlineExceeded), errors.Is(err, redis.ErrClosed), errors.Is(err, redis.ErrPoolTimeout):
		return fmt.Errorf("%w: %v", store.ErrUnavailable, err)
	}
	return fmt.Errorf("redis: %w", err)
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
