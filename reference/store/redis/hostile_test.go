package redis_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/redis"
)

// fake is a server that answers commands by their names with bytes of the test. A command without one isn't answered.
type fake struct {
	URL string

	listener net.Listener
	running  sync.WaitGroup
	mu       sync.Mutex
	answers  map[string]string // "INFO 2" is for the second INFO
	seen     map[string]int
	waiting  chan struct{} // gets one for each command that isn't answered, but for XREAD
	open     []net.Conn
}

func newFake(t *testing.T, answers map[string]string) *fake {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	f := &fake{URL: "redis://:hidden@" + l.Addr().String(), listener: l, answers: map[string]string{
		"HELLO": "-ERR unknown command\r\n", "AUTH": "+OK\r\n", "PING": "+PONG\r\n", "XREVRANGE": "*0\r\n", "INFO": "$0\r\n\r\n", "XREAD": "",
	}, seen: map[string]int{}, waiting: make(chan struct{}, 100)}
	for name, answer := range answers {
		f.answers[name] = answer
	}
	f.running.Go(f.accept)
	t.Cleanup(func() {
		_ = l.Close()
		f.mu.Lock()
		for _, c := range f.open {
			_ = c.Close()
		}
		f.mu.Unlock()
		f.running.Wait()
	})
	return f
}

func (f *fake) accept() {
	for {
		c, err := f.listener.Accept()
		if err != nil {
			return
		}
		f.mu.Lock()
		f.open = append(f.open, c)
		f.mu.Unlock()
		f.running.Go(func() { f.serve(c) })
	}
}

// serve answers the commands of one connection.
func (f *fake) serve(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	line := func() string {
		text, _ := in.ReadString('\n')
		return strings.TrimSpace(text)
	}
	for {
		parts, err := strconv.Atoi(strings.TrimPrefix(line(), "*"))
		if err != nil {
			return
		}
		name := ""
		for i := range parts {
			size, _ := strconv.Atoi(strings.TrimPrefix(line(), "$"))
			text := make([]byte, size+2)
			for at := range text {
				text[at], _ = in.ReadByte()
			}
			if i == 0 {
				name = string(bytes.ToUpper(text[:size]))
			}
		}
		f.mu.Lock()
		f.seen[name]++
		answer, ok := f.answers[fmt.Sprint(name, " ", f.seen[name])]
		f.mu.Unlock()
		if !ok {
			answer = f.answers[name]
		}
		if answer == "" && name != "XREAD" {
			f.waiting <- struct{}{}
		}
		if _, err := c.Write([]byte(answer)); err != nil {
			return
		}
	}
}

// calls makes every kind of call that parses answers of Redis, and returns their errors.
func calls(ctx context.Context, s *redis.Store) map[string]error {
	all := map[string]error{}
	_, all["OpenWriter"] = s.OpenWriter(ctx, "s")
	_, all["Append"] = s.Append(ctx, "s", "w", chunk(10))
	_, all["Info"] = s.Info(ctx, "s")
	_, all["Read"] = s.Read(ctx, "s", store.Mark{})
	_, _, all["Record"] = s.Record(ctx, "r")
	sub, err := s.Subscribe(ctx, "s", 0)
	if all["Subscribe"] = err; err == nil {
		_, all["Subscribe"] = sub.Next(ctx)
		sub.Close()
	}
	return all
}

// TestWrongAnswers: answers that Redis never gives are errors, and cost no more memory than a stream may take.
func TestWrongAnswers(t *testing.T) {
	for name, answer := range map[string]string{
		"an empty array":       "*0\r\n",
		"no array":             "*-1\r\n",
		"a number":             ":1\r\n",
		"the word alone":       "*1\r\n$2\r\nno\r\n",
		"a number for a word":  "*2\r\n:1\r\n:1\r\n",
		"too many elements":    "*2000000000\r\n",
		"more than an int":     "*9223372036854775807\r\n",
		"too many in arrays":   strings.Repeat("*100000\r\n", 6),
		"too long a string":    "$1900000000\r\n",
		"an impossible string": "$9223372036854775807\r\n",
		"an endless line":      "+" + strings.Repeat("x", 128<<10),
		"arrays in arrays":     strings.Repeat("*1\r\n", 100_000),
		"no length":            "$x\r\n",
		"an empty line":        "\r\n",
		"no mark":              "hello\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, map[string]string{"EVALSHA": answer, "HMGET": answer, "XREAD": answer})
			s, err := redis.Open(t.Context(), f.URL, redis.Options{MaxStream: 1 << 20, Timeout: 2 * time.Second})
			must(t, err)
			for call, err := range calls(t.Context(), s) {
				if err == nil || strings.Contains(err.Error(), "deadline") || strings.Contains(err.Error(), "timeout") {
					t.Errorf("%s: %v; expected an error as soon as the answer is wrong", call, err)
				}
			}
			must(t, s.Close())
		})
	}
	t.Run("a short answer to a hub", func(t *testing.T) {
		described := "*2\r\n$2\r\nok\r\n*8\r\n$1\r\nl\r\n$1\r\n1\r\n" + strings.Repeat("$0\r\n\r\n", 6)
		f := newFake(t, map[string]string{"EVALSHA 1": described, "EVALSHA": "*2\r\n$2\r\nok\r\n$1\r\nl\r\n"})
		s, err := redis.Open(t.Context(), f.URL, redis.Options{})
		must(t, err)
		sub, err := s.Subscribe(t.Context(), "s", 0)
		must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := sub.Next(ctx); err == nil { // it reads once more, after the goroutine of the hub
			t.Error(err)
		}
		must(t, s.Close())
	})
}

// TestCancel: who stops waiting for an answer gets control back at once, and so does everybody when the store closes.
func TestCancel(t *testing.T) {
	f := newFake(t, nil)
	s, err := redis.Open(t.Context(), f.URL, redis.Options{Timeout: time.Hour})
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan error)
	go func() {
		_, err := s.Info(ctx, "s")
		got <- err
	}()
	<-f.waiting
	cancel()
	if err := <-got; err != context.Canceled {
		t.Errorf("a read that was stopped: %v", err)
	}
	for _, call := range []func() error{
		func() error { _, err := s.Info(t.Context(), "s"); return err },
		func() error { return s.Delete(t.Context(), "s") },
	} {
		go func() { got <- call() }()
		<-f.waiting
	}
	must(t, s.Close())
	for range 2 {
		if err := <-got; !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("a call when the store closed: %v", err)
		}
	}
	if err := s.Delete(t.Context(), "s"); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a call after the store closed: %v", err)
	}
	if err := s.Delete(ctx, "s"); err != context.Canceled {
		t.Errorf("a change that was stopped before it began: %v", err)
	}
}

// TestPasswordIsHidden: no error contains the password, even if Redis quotes it.
func TestPasswordIsHidden(t *testing.T) {
	for _, answer := range []string{
		"-ERR unknown command 'AUTH', with args beginning with: 'hidden'\r\n", "-hidden\r\n", "-WRONGPASS invalid username-password pair\r\n", "+OK\n", "$99999999999\r\n",
	} {
		f := newFake(t, map[string]string{"AUTH": answer, "HELLO": answer})
		s, err := redis.Open(t.Context(), f.URL, redis.Options{Timeout: time.Second})
		if err == nil {
			_ = s.Close()
			t.Fatalf("%q let the store in", answer)
		}
		if text := err.Error(); strings.Contains(text, "hidden") || !strings.Contains(text, f.listener.Addr().String()) {
			t.Error(err)
		}
	}
	for _, url := range []string{"redis://:hidden@h:port", "redis://u:hidden@h/1/2", "redis://:hidden@h/%zz", "redis:hidden", "hidden://h", "redis://h?hidden=1", "rediss://h?skip_verify=hidden", "unix://:hidden@"} {
		s, err := redis.Open(t.Context(), url, redis.Options{Timeout: time.Second})
		if err == nil {
			_ = s.Close()
			t.Fatalf("%q is a store", url)
		}
		if text := err.Error(); strings.Contains(text, "hidden") || !strings.Contains(text, "URL") {
			t.Error(err)
		}
	}
}
