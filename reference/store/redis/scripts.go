package redis

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/gomodule/redigo/redis"

	"github.com/streamcert/streamcert/reference/store"
)

//go:embed lua/*.lua
var lua embed.FS

// script is one call that Redis performs atomically.
type script struct {
	*redis.Script
	changes bool
	values  int // that follow the word "ok" of its answer
}

func newScript(name string, changes bool, values int) script {
	text := func(name string) string {
		source, err := lua.ReadFile("lua/" + name + ".lua")
		if err != nil { // the files are compiled into the program
			panic(err)
		}
		return string(source)
	}
	return script{redis.NewScript(keysOfStream, text("stream")+text(name)), changes, values}
}

type scripts struct {
	open, close, append, finish, status, cleanup, reset, initial, delete, describe, read, tail, record, forget script
}

func newScripts() scripts {
	change := func(name string) script { return newScript(name, true, 0) }
	return scripts{
		open: change("open"), close: change("close"), append: newScript("append", true, 1), finish: change("finish"),
		status: change("status"), cleanup: change("cleanup"), reset: change("reset"), initial: change("initial"),
		delete: change("delete"), record: change("record"), forget: change("forget"),
		describe: newScript("describe", false, 1), read: newScript("read", false, 3), tail: newScript("tail", false, 3),
	}
}

// run runs a script on a stream, and returns the values after the first word of its answer. Errors: the one that the word
// names, store.ErrUnavailable, store.ErrFull.
func (s *Store) run(ctx context.Context, script script, name string, args ...any) ([]any, error) {
	all := append(append(append(s.keys(name), name), args...), store.WriterOf(ctx))
	call := func(ctx context.Context, c redis.Conn) (any, error) { return script.DoContext(ctx, c, all...) }
	var got any
	var err error
	if script.changes {
		got, err = s.change(ctx, call)
	} else {
		got, err = s.query(ctx, s.o.Timeout, call)
	}
	if err != nil {
		return nil, err
	}
	answer, _ := got.([]any)
	if len(answer) == 0 {
		return nil, fmt.Errorf("redis: %w: a script gave %T, expected an array", errAnswer, got)
	}
	refusals := map[string]error{
		"unknown stream": store.ErrUnknownStream, "unknown writer": store.ErrUnknownWriter, "closed": store.ErrWriterClosed,
		"finished": store.ErrFinished, "outdated": store.ErrOutdated, "started": store.ErrStarted, "full": fmt.Errorf("%w of %d bytes", store.ErrStreamFull, s.o.MaxStream),
	}
	if err := refusals[text(answer[0])]; err != nil {
		return nil, err
	}
	if text(answer[0]) != "ok" || len(answer) != 1+script.values {
		return nil, fmt.Errorf("redis: %w: a script gave %d values, expected ok and %d", errAnswer, len(answer), script.values)
	}
	return answer[1:], nil
}

// text returns a string that Redis answered; "" if it isn't one.
func text(answer any) string {
	switch answer := answer.(type) {
	case []byte:
		return string(answer)
	case string:
		return answer
	}
	return ""
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
