package observe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// reading is the first read of a stream.
type reading struct {
	o             Options // with defaults
	out           *Result // complete once the read is over
	counters      *counters
	head          judge.Head       // without the route until the pack is known
	kind          kind             // zero until the pack is known
	machine       judge.Machine    // nil until the pack is known
	waiting       []*wire.Frame    // frames that came before the pack was known
	looked        int              // events that were inspected for the pack
	excerpt       excerpt          // for a sweep
	res           *client.Response // closed when the read is over
	timer         *time.Timer      // of grace or quiet; nil while neither runs
	over          bool             // the last event came
	otherProtocol judge.OtherProtocol
	others        map[string]int // events that other packs know, by their names
}

// headOf returns the judge's description of a response. Removed is true, because it is unknown whether chunks were removed
// before.
func headOf(r Request, res *client.Response, cursor *string) judge.Head {
	h := judge.Head{Status: res.StatusCode, Header: map[string][]string{}, Removed: true}
	for name, values := range res.Header {
		h.Header[strings.ToLower(name)] = values
	}
	switch query := res.Request.URL.Query(); {
	case cursor != nil:
		h.Cursor, h.HasCursor = *cursor, true
	case r.Header.Get("Last-Event-ID") != "":
		h.Cursor, h.HasCursor = r.Header.Get("Last-Event-ID"), true
	case query.Has("fromSequence"):
		h.Cursor, h.HasCursor = query.Get("fromSequence"), true
	}
	return h
}

// all reads and judges everything. Its error is a pack that can't be loaded, or a
// capture that can't be written.
func (rd *reading) all(body io.Reader) error {
	if rd.o.Pack != "" && (!rd.o.named(rd.o.Pack).Stream.Bare || rd.o.Profile != nil) {
		if err := rd.choose(rd.given(rd.o.presumed())); err != nil {
			return err
		}
	}
	frames := wire.NewReader(body, wire.Options{MaxFrame: min(rd.o.Limit, wire.DefaultMaxFrame)})
	var end error
	for end == nil {
		var f *wire.Frame
		if f, end = frames.Next(); f == nil {
			continue
		}
		if err := rd.take(f); err != nil {
			return err
		}
	}
	if rd.timer != nil {
		rd.timer.Stop()
	}
	rd.out.Bytes = frames.Offset()
	if errors.Is(end, errCapture) {
		return end
	}
	if rd.machine == nil { // nothing identified it
		rd.out.Guessed = rd.o.Pack == ""
		if err := rd.choose(rd.given(rd.o.presumed())); err != nil {
			return err
		}
	}
	rd.ended(end)
	if g, guesses := rd.machine.(judge.Guess); guesses && g.Guessed() != "" {
		rd.out.Notes = append(rd.out.Notes, "judged as "+g.Guessed()+", which is a guess; say it with --variant")
	}
	rd.counters.count(rd.machine.Occasions())
	return nil
}

// given overrides the recognised kind by the requested one.
func (rd *reading) given(k kind) kind {
	if rd.o.Pack != "" && rd.o.Pack != k.pack.Name {
		k = kind{pack: rd.o.named(rd.o.Pack)}
	}
	if rd.o.Profile != nil && k.pack.Stream.Bare {
		k.profile = *rd.o.Profile
	}
	return k
}

// choose makes the judge, and passes the frames so far to it.
func (rd *reading) choose(k kind) error {
	loaded, err := rd.o.Load(k.pack.Name)
	if err != nil {
		return err
	}
	rd.kind, rd.out.Pack, rd.out.Kind = k, loaded, k.String()
	rd.out.resumes = k.resume() != nil
	rd.machine = loaded.Machine(judge.Options{Origin: record.Produced, Profile: k.profile})
	rd.head.Route = rd.o.Route
	rd.found(nil, rd.machine.Head(rd.head))
	for _, f := range rd.waiting {
		rd.judge(f)
	}
	rd.waiting = nil
	return nil
}

// take passes a frame to the judge, once the kind of the stream is known. Before, frames wait: at most 10*lookedAt of
// them, or lookedAt events, after which the kind is presumed. The error is that of choose.
func (rd *reading) take(f *wire.Frame) error {
	rd.otherProtocol.Add(f)
	if f.Dispatched() {
		rd.out.Events++
		rd.compare(f)
	}
	if rd.machine != nil {
		rd.judge(f)
		return nil
	}
	rd.waiting = append(rd.waiting, f)
	if !f.Dispatched() && len(rd.waiting) < 10*lookedAt {
		return nil
	}
	rd.looked++
	k, ok := rd.o.recognise(f)
	if !ok && rd.looked < lookedAt && len(rd.waiting) < 10*lookedAt {
		return nil
	}
	rd.out.Guessed = !ok && rd.o.Pack == ""
	return rd.choose(rd.given(k))
}

// judge judges a frame, stores it for a sweep, and begins to wait for the end of the body: after the last event for the
// grace, otherwise, if a sweep follows, for the quiet after each event.
func (rd *reading) judge(f *wire.Frame) {
	rd.found(f, rd.machine.Frame(f))
	if rd.o.Sweep != nil {
		rd.excerpt.add(rd.kind.resume(), f)
	}
	if !f.Dispatched() {
		return
	}
	switch {
	case rd.over:
	case rd.kind.last(f):
		rd.over = true
		rd.endIn(rd.o.Grace, errGrace)
	case rd.o.Sweep != nil:
		rd.endIn(rd.o.Quiet, errQuiet)
	}
}

// endIn ends the read after a while.
func (rd *reading) endIn(d time.Duration, why error) {
	if rd.timer != nil {
		rd.timer.Stop()
	}
	res := rd.res
	rd.timer = time.AfterFunc(d, func() { res.Cancel(why) })
}

// found counts the findings of a frame, nil for findings that concern none.
func (rd *reading) found(f *wire.Frame, findings []record.Finding) {
	for _, found := range findings {
		rd.counters.add(findingOf(found, f, ""), 1)
	}
}

// ended reports the end of the body to the judge and in the result.
func (rd *reading) ended(err error) {
	how := record.Broken
	var limit *wire.LimitError
	switch why := rd.res.Why(err); {
	case errors.Is(err, io.EOF):
		how, rd.out.End = record.ServerClose, "the server closed it"
	case errors.As(err, &limit):
		how, rd.out.End = record.ClientClose, "it was left at a frame of more than "+size(limit.Limit)
		if limit.Decoded {
			rd.out.End = "it was left at a frame of too many values"
		}
		rd.out.Fault = limit.Error() + "; what follows was not read"
	case errors.Is(err, errLimit):
		how, rd.out.End = record.ClientClose, "it was left after "+size(rd.o.Limit)+" (--limit)"
	case errors.Is(why, errGrace):
		how, rd.out.End = record.Open, fmt.Sprintf("the body stayed open for %v after the last event", rd.o.Grace)
	case errors.Is(why, errQuiet):
		how, rd.out.End = record.ClientClose, fmt.Sprintf("it was left after %v without an event, and goes on", rd.o.Quiet)
	case errors.Is(why, errFor):
		how, rd.out.End = record.ClientClose, fmt.Sprintf("it was left after %v (--for), and goes on", rd.o.For)
	case errors.Is(why, context.Canceled):
		how, rd.out.End = record.ClientClose, "it was interrupted, and goes on"
	default:
		rd.out.End = "the connection broke: " + client.Bare(err).Error()
	}
	rd.out.Ended = rd.over
	rd.found(nil, rd.machine.Close(how))
	switch {
	case rd.out.Fault != "":
	case rd.out.Events == 0:
		rd.out.Fault = fmt.Sprintf("there was no event in %s; nothing can be said but about the head", size(rd.out.Bytes))
	default:
		if name, is := rd.otherProtocol.Only(rd.machine.Unknown()); is {
			rd.counters = newCounters() // the findings aren't the server's fault
			rd.out.Fault = rd.otherProtocol.Sentence(rd.out.Events, rd.out.Pack.Name, cmp.Or(name, rd.likely()))
		}
	}
}

// size returns a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	case n == 1:
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// compare counts an event for the packs that it is surely of.
func (rd *reading) compare(f *wire.Frame) {
	if rd.out.Events > lookedAt {
		return
	}
	for _, p := range rd.o.Packs {
		if p.Stream.Recognise == nil {
			continue
		}
		if _, is := p.Stream.Recognise(f); is {
			if rd.others == nil {
				rd.others = map[string]int{}
			}
			rd.others[p.Name]++
		}
	}
}

// likely returns the pack that knows most of the first events, "" if none but the one that judges knows any.
func (rd *reading) likely() string {
	best, most := "", 0
	for _, p := range rd.o.Packs {
		if n := rd.others[p.Name]; n > most && p.Name != rd.out.Pack.Name {
			best, most = "pack "+p.Name, n
		}
	}
	return best
}

// note adds a remark to the result.
func (rd *reading) note(format string, args ...any) {
	rd.out.Notes = append(rd.out.Notes, fmt.Sprintf(format, args...))
}
