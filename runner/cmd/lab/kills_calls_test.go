package lab

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// callLog writes to a stream, kills the server, and stores the expected content for the next one.
type callLog struct {
	t        *testing.T
	valve    *valve
	phase    killed
	now      *process
	faults   []string
	counters map[string]int // kills by the valve's effect and by whether the last call was stored

	stream, writer     string
	written            int            // chunks that were ever tried
	acknowledgedWrites []acknowledged // that have to be there, with the sequences that they were answered with
	highest            int64          // sequence that was ever answered or seen
	cursor             int64          // of a reader
}

func (l *callLog) fault(format string, args ...any) {
	l.faults = append(l.faults, fmt.Sprintf("%s, %s: ", l.phase, l.stream)+fmt.Sprintf(format, args...))
}

// open begins another stream.
func (l *callLog) open(n int) {
	l.t.Helper()
	if l.stream != "" {
		l.now.must("DELETE", l.path(""), "", "")
	}
	l.stream = strings.ReplaceAll(fmt.Sprintf("%s %s %d", l.t.Name(), l.phase, n), " ", "-")
	l.stream = strings.ReplaceAll(l.stream, "/", "-") + "."
	l.acknowledgedWrites, l.highest, l.cursor = nil, 0, 0
	l.enter()
	// Redis knows these scripts by their names from now on.
	l.now.must("POST", l.path("/cleanup"), `{"stepCount":1}`, "")
	l.now.must("POST", l.path("/reset"), "", "")
}

func (l *callLog) path(rest string) string { return "/control/streams/" + l.stream + rest }

// enter opens a writer.
func (l *callLog) enter() {
	l.t.Helper()
	l.writer = l.now.must("POST", l.path("/writers"), `{"agentId":"a","agentType":"t"}`, "writerId").(string)
}

// chunks makes new chunks, of the steps 1, 2 and so on.
func (l *callLog) chunks(n int) (events []acknowledged, body string) {
	var all []string
	for step := range n {
		l.written++
		e := acknowledged{kind: "text_delta", delta: fmt.Sprintf("word %d of step %d. ", l.written, step+1)}
		events = append(events, e)
		all = append(all, fmt.Sprintf(`{"type":"text_delta","agentId":"a","agentType":"t","timestamp":1702329600000,"step":%d,"delta":"%s"}`, step+1, e.delta))
	}
	return events, "[" + strings.Join(all, ",") + "]"
}

// write writes chunks in one call that has to succeed.
func (l *callLog) write(n int) {
	l.t.Helper()
	events, body := l.chunks(n)
	sequences, _ := l.now.must("POST", l.path("/writers/"+l.writer+"/chunks"), body, "sequences").([]any)
	l.answered(events, sequences)
}

// answered enters chunks that were answered with their sequences.
func (l *callLog) answered(events []acknowledged, sequences []any) {
	l.t.Helper()
	if len(sequences) != len(events) {
		l.t.Fatalf("%d chunks were answered with %v", len(events), sequences)
	}
	for i, s := range sequences {
		n, _ := s.(float64)
		events[i].sequence = int64(n)
		if int64(n) <= l.highest {
			l.fault("%q was answered with sequence %v, and there was %d", events[i].delta, s, l.highest)
		}
		l.highest = max(l.highest, int64(n))
	}
	l.acknowledgedWrites = append(l.acknowledgedWrites, events...)
}

// last is the call in which the server is killed.
type last struct {
	method, path, body string
	events             []acknowledged // that it writes
	removes            int            // the steps above are removed; 0 for those of all chunks
	removal            bool
	words              []string // of the script that carries it out
	effect             effect
	result             result
}

// kill makes a call, kills the server in its phase, and checks the content of the next server.
func (l *callLog) kill(n int, next func() *process) {
	l.t.Helper()
	if n%8 == 0 || l.stream == "" {
		l.open(n)
	}
	l.write(2 + n%2) // the last one is of a step that a cleanup takes
	c := l.lastCall(n)
	if l.phase == afterWrite {
		c.result = l.now.call(c.method, c.path, c.body)
		l.now.kill()
	} else {
		l.valve.arm(0, c.effect, c.words...)
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.result = l.now.call(c.method, c.path, c.body)
		}()
		l.valve.wait()
		l.now.kill()
		l.valve.bury()
		<-done
	}
	if status := c.result.status; l.phase == afterWrite && status/100 != 2 || status >= 300 {
		l.t.Fatalf("%s: %d %s", c.path, status, c.result.text)
	}
	l.now = next()
	l.compare(n, c)
}

// lastCall returns the call during a kill, and the valve's effect on it.
func (l *callLog) lastCall(n int) *last {
	c := &last{method: "POST", effect: answered, words: []string{":log:" + l.stream}} // one of the keys
	if l.phase == beforeWrite {
		c.effect = []effect{dropped, halved, delayed}[n%3]
	}
	if l.phase != inRemoval {
		c.path = l.path("/writers/" + l.writer + "/chunks")
		c.events, c.body = l.chunks(1 + n/3%3)
		c.words = append(c.words, c.events[0].delta)
		return c
	}
	// The hub of a reader that is just leaving asks Redis for the stream, too; so a removal is known by its script.
	c.effect, c.removal = []effect{answered, dropped, answered, halved}[n%4], true
	script := "cleanup"
	if c.body, c.removes = `{"stepCount":1}`, 1; n/4%2 == 1 {
		script, c.body, c.removes = "reset", "", 0
	}
	c.path, c.words = l.path("/"+script), append(c.words, scriptName(l.t, script))
	return c
}

// scriptName returns the name under which Redis knows a script of the store, its SHA-1.
func scriptName(t *testing.T, script string) string {
	t.Helper()
	hash := sha1.New()
	for _, part := range []string{"stream", script} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "reference", "store", "redis", "lua", part+".lua"))
		if err != nil {
			t.Fatal(err)
		}
		hash.Write(text)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// compare reads the stream from the next server, from its start and resumed.
func (l *callLog) compare(n int, c *last) {
	l.t.Helper()
	if c.result.status != 0 && !c.removal { // it was answered, whatever became of it
		var answer struct{ Sequences []any }
		decode(l.t, c.result.text, &answer)
		l.answered(c.events, answer.Sequences)
		c.events = nil
	}
	latest := l.acknowledgedWrites[len(l.acknowledgedWrites)-1]
	if n%2 == 0 { // a writer of before goes on
		l.enter()
	}
	l.write(1)
	marker := l.acknowledgedWrites[len(l.acknowledgedWrites)-1]
	log := l.now.read(l.stream, 0, marker.sequence)
	if resumed := l.now.read(l.stream, l.cursor, marker.sequence); !slices.Equal(resumed, above(log, l.cursor)) {
		l.fault("who resumes after %d gets %v of %v", l.cursor, resumed, log)
	}
	l.cursor = marker.sequence
	stored := "nothing"
	switch {
	case c.removal && !has(log, latest):
		stored = "removed"
	case c.removal && c.result.status != 0:
		l.fault("%s was answered and not done", c.path)
	case c.result.status != 0:
		stored = "answered"
	case !c.removal && has(log, c.events[0]):
		stored = "stored"
	}
	l.counters[fmt.Sprint(c.effect, ", ", stored)]++
	if c.result.status == 0 && (c.effect == answered) == (stored == "nothing") {
		l.fault("the last call was %s, and what is there of it is %s", c.effect, stored)
	}
	l.settle(c, stored, marker)
	l.same(log)
	if c.effect == delayed {
		l.valve.let()
		l.write(1)
		log = l.now.read(l.stream, 0, l.highest)
		l.settle(c, "stored", marker)
		l.same(log)
	}
}

// settle records the outcome of the last call.
func (l *callLog) settle(c *last, stored string, marker acknowledged) {
	switch {
	case stored == "removed":
		l.acknowledgedWrites = slices.DeleteFunc(slices.Clone(l.acknowledgedWrites), func(e acknowledged) bool { return e != marker && removed(e, c.removes) })
	case stored == "stored":
		l.acknowledgedWrites = append(slices.Clone(l.acknowledgedWrites), c.events...) // at unknown sequences
	}
}

// same checks that a log contains exactly the expected chunks, once, in ascending order.
func (l *callLog) same(log []acknowledged) {
	seen := map[string]int64{}
	for i, e := range log {
		if i > 0 && e.sequence <= log[i-1].sequence {
			l.fault("sequence %d follows %d", e.sequence, log[i-1].sequence)
		}
		if at, twice := seen[e.delta]; twice {
			l.fault("%q is there twice, at %d and %d", e.delta, at, e.sequence)
		}
		seen[e.delta] = e.sequence
	}
	var unknown []int64 // sequences of chunks whose writer got no answer
	for i, e := range l.acknowledgedWrites {
		at, there := seen[e.delta]
		switch {
		case !there && e.sequence > 0:
			l.fault("%q was answered with sequence %d and isn't there", e.delta, e.sequence)
		case !there:
			l.fault("%q isn't there, and others of its call are", e.delta)
		case e.sequence == 0:
			unknown = append(unknown, at)
			l.acknowledgedWrites[i].sequence = at
		case e.sequence != at:
			l.fault("%q was answered with sequence %d and is at %d", e.delta, e.sequence, at)
		}
		delete(seen, e.delta)
	}
	for i := 1; i < len(unknown); i++ {
		if unknown[i] != unknown[i-1]+1 {
			l.fault("what was written in one call lies at %v", unknown)
		}
	}
	for delta, at := range seen {
		l.fault("%q is there, at %d, and shouldn't be", delta, at)
	}
}

// removed reports whether a cleanup to a step takes an event.
func removed(e acknowledged, step int) bool {
	return !strings.HasSuffix(e.delta, fmt.Sprintf(" step %d. ", step))
}

func has(log []acknowledged, e acknowledged) bool {
	return slices.ContainsFunc(log, func(other acknowledged) bool { return other.delta == e.delta })
}

func above(log []acknowledged, cursor int64) (out []acknowledged) {
	for _, e := range log {
		if e.sequence > cursor {
			out = append(out, e)
		}
	}
	return out
}
