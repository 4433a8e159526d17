package steps

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
)

// torn is one client that is cut, and comes back as EventSource does.
type torn struct {
	sweep  *sweep
	cuts   []cut  // that were made so far
	cursor string // of the last complete event
	got    []*message
	reads  int
	from   map[*message]*target.Reader // what brought a message, of a read that is compared later

	among   bool // others were cut meanwhile
	failure *Failure
}

// mostIdle is how many responses without progress a client bears that it didn't
// cut itself.
const mostIdle = 20

// play reads a finished stream to its end, with the cuts in between.
func (sw *sweep) play(cuts []cut) (*torn, error) {
	t := &torn{sweep: sw}
	for idle := 0; idle < mostIdle; idle++ {
		before := len(t.got)
		var limit int64
		if len(t.cuts) < len(cuts) {
			next := cuts[len(t.cuts)]
			if limit = sw.distance(before, next); limit <= 0 { // it was there already
				t.cuts = append(t.cuts, next)
				continue
			}
		}
		over, err := t.connection(limit, sw.expects)
		if err != nil {
			return t, t.fails(err)
		}
		if over {
			return t, nil
		}
		if limit > 0 {
			t.cuts = append(t.cuts, cuts[len(t.cuts)])
		}
		if limit > 0 || len(t.got) > before {
			idle = -1
		}
	}
	return t, t.fails(&Failure{
		Want: sw.wanted(len(t.got)), Got: fmt.Sprintf("%d responses that ended without it", mostIdle), Frame: -1,
	})
}

// distance is how many bytes of a body lie between its beginning and a cut, for a
// client that has some of the frames.
func (sw *sweep) distance(have int, c cut) int64 {
	n := c.bytes
	for i := have; i < c.frame; i++ {
		n += sw.sizes[i]
	}
	if n == 0 || c.frame < have {
		return 0
	}
	return n + sw.prelude
}

// connection attaches, reads until the body ends and reports whether there is
// nothing left to read. expect is shown each message with its number.
func (t *torn) connection(limit int64, expect func(*torn, *message) error) (over bool, err error) {
	rd, err := t.attach(limit)
	if err != nil {
		return false, err
	}
	for {
		f, err := rd.Next(t.sweep.wanted(len(t.got)), t.sweep.w.session.Target().By())
		if err != nil {
			return false, t.at(rd, nil, err)
		}
		if f == nil {
			break
		}
		m := t.take(f)
		if m == nil {
			continue
		}
		if err := expect(t, m); err != nil {
			return false, t.at(rd, f, err)
		}
		t.got = append(t.got, m)
	}
	if err := t.answered(rd); err != nil {
		return false, t.at(rd, nil, err)
	}
	t.reads++
	t.sweep.w.session.Forget(rd)
	return len(t.got) == len(t.sweep.whole), nil
}

func (t *torn) attach(limit int64) (*target.Reader, error) {
	sw := t.sweep
	r := target.ReadRequest{Stream: sw.stream.id, Heading: sw.w.heading, CutAfter: limit}
	if t.cursor != "" {
		cursor := t.cursor
		r.Cursor = &cursor
	}
	rd, err := sw.w.session.Attach(r)
	if err != nil {
		return nil, fault("attaching: %v", err)
	}
	return rd, nil
}

// take does with a block what EventSource does, and returns it if it counts.
func (t *torn) take(f *wire.Frame) *message {
	if !f.Terminated {
		return nil
	}
	if f.HasID {
		t.cursor = f.ID
	}
	m := understand(f)
	if m == nil || m.Type != "chunk" && m.Type != "end" && m.Type != "fail" {
		return nil
	}
	return m
}

// answered looks at a response that brought no more.
func (t *torn) answered(rd *target.Reader) error {
	v := rd.Now()
	switch v.Status {
	case 0, 200: // a connection that broke is a cut, whoever made it
		if v.Status == 0 && v.End == target.Broken {
			return v.Err
		}
		return nil
	case 429, 503: // it may defend itself
		return &Unprovable{fmt.Sprintf("the server answers %d when a client comes back so often", v.Status)}
	}
	return &Failure{Want: t.sweep.wanted(len(t.got)), Got: "an answer of " + statusOf(v), Frame: -1}
}

// at says where a failure was seen.
func (t *torn) at(rd *target.Reader, f *wire.Frame, err error) error {
	err = classify(err)
	if failure, ok := err.(*Failure); ok && failure.Exchange == nil {
		failure.Exchange, failure.Frame = rd.Exchange, -1
		if f != nil {
			failure.Frame = f.Index
		}
	}
	return err
}

// fails notes a failure and says in it what was done.
func (t *torn) fails(err error) error {
	failure, ok := err.(*Failure)
	if !ok {
		return err
	}
	if failure.Message == timedOut {
		failure.Got += t.last()
	}
	failure.Message = t.history()
	t.failure = failure
	return failure
}

func (t *torn) last() string {
	if len(t.got) == 0 {
		return "; no event had come before"
	}
	return "; the last that it had was " + t.sweep.stream.nameOf(t.got[len(t.got)-1])
}

// expects compares a message with what the uninterrupted read had in its place.
func (sw *sweep) expects(t *torn, m *message) error {
	at := len(t.got)
	if at < len(sw.whole) && equal(sw.whole[at], m) {
		return nil
	}
	what := clip(m.frame.Data)
	switch {
	case indexOf(sw.whole[:min(at, len(sw.whole))], m) >= 0:
		what = sw.stream.nameOf(m) + " again: " + what
	case at < len(sw.whole) && indexOf(sw.whole[at:], m) > 0:
		what = sw.stream.nameOf(m) + ": " + what
	case at < len(sw.whole) && m.id == sw.whole[at].id:
		what = "something else under the same id: " + what
	}
	return &Failure{Want: sw.wanted(at), Got: what}
}

func indexOf(all []*message, m *message) int {
	for i, other := range all {
		if equal(other, m) {
			return i
		}
	}
	return -1
}

// equal says whether two messages bring the same under the same id.
func equal(a, b *message) bool {
	if a.Type != b.Type || a.id != b.id {
		return false
	}
	if a.Type == "chunk" {
		return bytes.Equal(a.Chunk, b.Chunk) || same(a.value(), b.value())
	}
	return true
}

// wanted is what comes next in the whole.
func (sw *sweep) wanted(at int) string {
	switch {
	case len(sw.whole) == 0:
		return "the next event"
	case at >= len(sw.whole):
		return "nothing more"
	}
	m := sw.whole[at]
	return sw.stream.nameOf(m) + ": " + clip(m.frame.Data)
}

// taste reads some whole events on a connection of its own and cuts it there or,
// if they are none, after some bytes. It hands out the connection as soon as it
// has one.
func (t *torn) taste(events int, bytes int64, out chan<- *target.Reader) error {
	if events > 0 {
		bytes = 0
	}
	rd, err := t.attach(bytes)
	out <- rd
	if err != nil {
		return err
	}
	for taken := 0; taken < events || events == 0; {
		f, err := rd.Next("the event after "+strconv.Quote(t.cursor), t.sweep.w.session.Target().By())
		if err != nil {
			return t.fails(t.at(rd, nil, err))
		}
		if f == nil {
			break
		}
		if m := t.take(f); m != nil {
			if indexOf(t.got, m) >= 0 {
				return t.fails(t.at(rd, f, &Failure{Want: "an event that the client didn't have", Got: t.sweep.stream.nameOf(m) + " again"}))
			}
			t.got = append(t.got, m)
			t.from[m] = rd
			taken++
		}
	}
	if err := t.answered(rd); err != nil {
		return t.fails(t.at(rd, nil, err))
	}
	t.reads++
	t.cuts = append(t.cuts, cut{len(t.got), bytes})
	rd.Cut()
	rd.DropAfter(rd.Taken())
	return nil
}

// compareAll reads the rest and compares all with the whole.
func (t *torn) compareAll(whole *sweep) error {
	before := t.got
	t.sweep, t.got = whole, nil
	for _, m := range before {
		if err := whole.expects(t, m); err != nil {
			return t.fails(t.at(t.from[m], m.frame, err))
		}
		t.got = append(t.got, m)
	}
	for idle := 0; idle < mostIdle; idle++ {
		over, err := t.connection(0, whole.expects)
		if err != nil {
			return t.fails(err)
		}
		if over {
			return nil
		}
	}
	return t.fails(&Failure{Want: whole.wanted(len(t.got)), Got: "responses that end without it", Frame: -1})
}

// history says where a client was cut.
func (t *torn) history() string {
	var places []string
	for _, c := range t.cuts {
		if t.sweep.w.sweep.live == nil {
			places = append(places, t.sweep.place(c))
		}
	}
	n := len(places)
	places = slices.Compact(places)
	switch {
	case t.sweep.w.sweep.live != nil:
		return fmt.Sprintf("a client was cut %s while two writers wrote, and resumed each time", times(len(t.cuts)))
	case n == 0:
		return "a client resumed without having been cut"
	case n == 1:
		return "a client was cut once, " + places[0] + ", and resumed"
	case len(places) == 1:
		return fmt.Sprintf("a client was cut %s, each time %s, and resumed", times(n), places[0])
	case t.among:
		return fmt.Sprintf("while others were cut on the same stream, a client was cut %s, at last %s, and resumed each time",
			times(n), places[len(places)-1])
	case n == 2:
		return "a client was cut twice, " + strings.Join(places, " and ") + ", and resumed each time"
	}
	return fmt.Sprintf("a client was cut %s, at last %s, and resumed each time", times(n), places[len(places)-1])
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// place says in words where a cut is.
func (sw *sweep) place(c cut) string {
	m := sw.whole[c.frame]
	if c.bytes == 0 {
		return "right after " + sw.stream.nameOf(sw.whole[c.frame-1])
	}
	raw := m.frame.Raw
	where := ""
	switch at := int(c.bytes); {
	case !utf8.RuneStart(raw[at]):
		from := at
		for from > 0 && !utf8.RuneStart(raw[from]) {
			from--
		}
		r, _ := utf8.DecodeRune(raw[from:])
		where = fmt.Sprintf(", inside the character %q", r)
	case raw[at-1] == '\n' || raw[at-1] == '\r':
		where = ", behind its line " + clip(lastLine(raw[:at]))
	}
	return fmt.Sprintf("%d bytes into the frame of %s%s", c.bytes, sw.stream.nameOf(m), where)
}

// lastLine is the last line of some that has anything in it.
func lastLine(raw []byte) []byte {
	raw = bytes.TrimRight(raw, "\r\n")
	return raw[bytes.LastIndexAny(raw, "\r\n")+1:]
}

// seams are the places of a frame at which a cut is most likely to matter: behind
// each line and inside each character.
func seams(raw []byte) []int64 {
	var out []int64
	for i := 1; i < len(raw); i++ {
		if raw[i-1] == '\n' || !utf8.RuneStart(raw[i]) {
			out = append(out, int64(i))
		}
	}
	return out
}
