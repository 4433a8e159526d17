package lab

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// effect describes how a valve treats the command that it waits for.
type effect string

const (
	dropped  effect = "dropped"  // Redis never sees it
	halved   effect = "halved"   // Redis sees half of its bytes, and then the end of the connection
	delayed  effect = "late"     // Redis carries it out when the server is dead and the next one at work
	answered effect = "answered" // Redis has carried it out and synced, and its answer never gets to the server
)

// valve is a proxy between a server and its Redis. It delays one command, or the answer to it, until the server is dead, so
// that the moment of a kill is known.
type valve struct {
	URL string

	t        *testing.T
	to       string
	listener net.Listener
	running  sync.WaitGroup

	mu      sync.Mutex
	open    map[net.Conn]bool
	over    bool
	words   []string // words in the counted commands, all of them; nil while the valve is open
	effect  effect
	skip    int           // how many of them pass before one is delayed
	seen    int           // how many came
	reached chan struct{} // closed when one is delayed
	dead    chan struct{} // closed when the server that sent it is
	deliver chan struct{} // closed when the delayed command may arrive
	arrived chan struct{} // closed when Redis has answered the delayed command
}

func newValve(t *testing.T, to string) *valve {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	v := &valve{URL: "redis://" + l.Addr().String() + "/0", t: t, to: to, listener: l, open: map[net.Conn]bool{}}
	v.running.Go(v.accept)
	t.Cleanup(v.stop)
	return v
}

func (v *valve) stop() {
	v.mu.Lock()
	v.over = true
	for c := range v.open {
		_ = c.Close()
	}
	if v.words != nil {
		closeOnce(v.dead)
		closeOnce(v.deliver)
	}
	v.mu.Unlock()
	_ = v.listener.Close()
	v.running.Wait()
}

// closeOnce closes a channel that may be closed.
func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// arm passes so many commands with all words, and gives the next one the effect.
func (v *valve) arm(skip int, f effect, words ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.words, v.skip, v.effect, v.seen = words, skip, f, 0
	v.reached, v.dead, v.deliver, v.arrived = make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
}

// disarm opens the valve and returns how many commands contained the words.
func (v *valve) disarm() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.words = nil
	return v.seen
}

// wait waits until the command, or its answer, is delayed.
func (v *valve) wait() {
	v.t.Helper()
	v.await(v.reached, "the command that is to be held doesn't come")
}

func (v *valve) await(c chan struct{}, otherwise string) {
	v.t.Helper()
	select {
	case <-c:
	case <-time.After(30 * time.Second):
		v.t.Fatal(otherwise)
	}
}

// bury reports that the server is dead.
func (v *valve) bury() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.words = nil
	close(v.dead)
}

// let passes the delayed command and waits until Redis has answered it.
func (v *valve) let() {
	v.t.Helper()
	close(v.deliver)
	v.await(v.arrived, "what was late isn't answered")
}

func (v *valve) accept() {
	for {
		server, err := v.listener.Accept()
		if err != nil {
			return
		}
		redis, err := net.Dial("tcp", v.to)
		if err != nil {
			_ = server.Close()
			continue
		}
		v.mu.Lock()
		v.open[server], v.open[redis] = true, true
		over := v.over
		v.mu.Unlock()
		l := &line{v: v, server: server, redis: redis}
		if over {
			l.close()
			return
		}
		v.running.Go(l.commands)
		v.running.Go(l.answers)
	}
}

// line is one connection of a server to its Redis.
type line struct {
	v             *valve
	server, redis net.Conn

	mu         sync.Mutex
	nextEffect effect // of the answer that comes next; "" for none
}

func (l *line) close() {
	_ = l.server.Close()
	_ = l.redis.Close()
	l.v.mu.Lock()
	defer l.v.mu.Unlock()
	delete(l.v.open, l.server)
	delete(l.v.open, l.redis)
}

// hold sets the treatment of the next answer.
func (l *line) hold(f effect) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.nextEffect = f
}

// commands passes the server's commands on, one at a time.
func (l *line) commands() {
	defer l.close()
	in := bufio.NewReader(l.server)
	for {
		command, err := readCommand(in)
		if err != nil {
			return
		}
		switch f := l.v.meets(command); f {
		case dropped, halved:
			close(l.v.reached)
			<-l.v.dead
			if f == halved {
				_, _ = l.redis.Write(command[:len(command)/2])
			}
			return
		case delayed:
			close(l.v.reached)
			<-l.v.dead
			<-l.v.deliver
			l.hold(delayed)
		case answered:
			l.hold(answered)
		}
		if _, err := l.redis.Write(command); err != nil {
			return
		}
		l.mu.Lock()
		f := l.nextEffect
		l.mu.Unlock()
		if f == delayed {
			<-l.v.arrived
			return
		}
	}
}

// meets returns the effect on a command; "" for none.
func (v *valve) meets(command []byte) effect {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.words == nil || slices.ContainsFunc(v.words, func(w string) bool { return !bytes.Contains(command, []byte(w)) }) {
		return ""
	}
	v.seen++
	if v.seen == v.skip+1 {
		return v.effect
	}
	return ""
}

// answers passes Redis' answers on. A connection carries one command at a time.
func (l *line) answers() {
	defer l.close()
	piece := make([]byte, 1<<16)
	for {
		n, err := l.redis.Read(piece)
		l.mu.Lock()
		f := l.nextEffect
		l.mu.Unlock()
		switch {
		case f == answered:
			close(l.v.reached)
			<-l.v.dead
			return
		case f == delayed:
			close(l.v.arrived)
			return
		}
		if _, failed := l.server.Write(piece[:n]); failed != nil || err != nil {
			return
		}
	}
}

// readCommand reads one command, an array of strings, as it is.
func readCommand(in *bufio.Reader) ([]byte, error) {
	var out bytes.Buffer
	number := func(mark byte) (int, error) {
		text, err := in.ReadString('\n')
		out.WriteString(text)
		if err != nil || text[0] != mark {
			return 0, fmt.Errorf("%q doesn't begin with %c: %w", text, mark, err)
		}
		return strconv.Atoi(strings.TrimSpace(text[1:]))
	}
	parts, err := number('*')
	for range parts {
		size := 0
		if size, err = number('$'); err == nil {
			_, err = io.CopyN(&out, in, int64(size)+2)
		}
		if err != nil {
			break
		}
	}
	return out.Bytes(), err
}
