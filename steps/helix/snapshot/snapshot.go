package snapshot

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps/helix/world"

	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/steps"
)

func snapshotSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^a snapshot of the stream( with partial content| without partial content|) is asked for$`,
			world.OnStream1(func(s *world.Stream, content string) error {
				return requestSnapshot(s.World, s.ID, partialContent[content])
			}))
	})
	steps.Step0(v, features.When, `^a snapshot of the stream is asked for in its default form$`, world.OnStream0(func(s *world.Stream) (err error) {
		r := target.SnapshotRequest{Stream: s.ID, Heading: s.World.Step(), Origin: record.Produced}
		s.World.Answer, err = targethelix.DefaultSnapshot(s.World.Session(), r)
		return err
	}))
	steps.Step0(v, features.When, `^a snapshot of a stream that never was is asked for$`, func(w *world.World) error {
		return requestSnapshot(w, w.Session().NewStream(), "")
	})
	steps.Step0(v, features.Then, `^the snapshot has its members$`, snapshotShape)
	steps.Step1(v, features.Then, `^the snapshot holds the state (.+)$`, func(w *world.World, want string) error {
		return snapshotMember(w, "state", want)
	})
	steps.Step1(v, features.Then, `^the snapshot says the status "([^"]*)"$`, func(w *world.World, want string) error {
		return snapshotMember(w, "status", strconv.Quote(want))
	})
	steps.Step0(v, features.Then, `^the sequence of the snapshot is 0$`, func(w *world.World) error { return snapshotMember(w, "streamSequence", "0") })
	steps.Step1(v, features.Then, `^the sequence of the snapshot is that of event (\d+)$`, world.OnStream1(func(s *world.Stream, n int) error {
		id, err := s.IdOf(n)
		if err != nil {
			return err
		}
		return snapshotMember(s.World, "streamSequence", id)
	}))
	steps.Step0(v, features.Then, `^the snapshot says when it was taken$`, snapshotTime)
}

// withPartial is the expression of a sentence for the content of the open step, and partialContent maps its matches to
// the parameter of the request.
const withPartial = `( with partial content|)`

var partialContent = map[string]string{"": "", " with partial content": "true", " without partial content": "false"}

// snapshot is a decoded snapshot.
type snapshot struct {
	exchange *target.Exchange // that fetched it
	members  map[string]any   // as encoding/json decodes them
}

// partial reports whether it was requested with partial content.
func (t *snapshot) partial() bool {
	return strings.Contains(t.exchange.Path, "includePartialContent=true")
}

func requestSnapshot(w *world.World, stream, partial string) error {
	r := target.SnapshotRequest{Stream: stream, Partial: partial, Heading: w.Step()}
	for _, s := range w.Streams {
		if s.ID == stream && s.Produced {
			r.Origin = record.Produced
		}
	}
	if partial != "true" && replays(w) {
		w.NoteAlternative() // the sequence of such a server may differ from that of every transcript
	}
	e, err := targethelix.GetSnapshot(w.Session(), r)
	w.Answer = e
	return err
}

// lastSnapshot reads the last snapshot that was requested.
func lastSnapshot(w *world.World) (*snapshot, error) {
	if w.Answer == nil || !w.Answer.IsSnapshot() {
		return nil, steps.Faultf("no snapshot was asked for")
	}
	return readSnapshot(w.Answer)
}

func readSnapshot(e *target.Exchange) (*snapshot, error) {
	v := e.Now()
	got, err := steps.Decode(v.Answer)
	members, ok := got.(map[string]any)
	if err != nil || !ok || v.Status != 200 {
		return nil, &steps.Failure{
			Finding: record.Finding{Message: "a snapshot", Want: "200 with a JSON object", Got: steps.StatusOf(v), Frame: -1}, Exchange: e,
		}
	}
	return &snapshot{exchange: e, members: members}, nil
}

func (t *snapshot) failure(what, want, got string) error {
	return &steps.Failure{Finding: record.Finding{Message: what + " of the snapshot", Want: want, Got: got, Frame: -1}, Exchange: t.exchange}
}

// cursor returns streamSequence in the form of a reader's cursor.
func (t *snapshot) cursor() (string, error) {
	n, ok := t.members["streamSequence"].(json.Number)
	if f := steps.Float(n); !ok || !(f >= 0) || f != float64(int64(f)) {
		return "", t.failure("streamSequence", "an integer of at least 0", steps.Clip(steps.Encode(t.members["streamSequence"])))
	}
	return strconv.FormatInt(int64(steps.Float(n)), 10), nil
}

// snapshotShape checks the document against its schema.
func snapshotShape(w *world.World) error {
	t, err := lastSnapshot(w)
	if err != nil {
		return err
	}
	for _, f := range w.Env().Schemas.Document("snapshot", schemas.Strict, t.exchange.Now().Answer).Findings {
		if f.Requirement == w.Requirement() {
			return t.failure("the document", "one that keeps the rule", f.Message+" at "+strconv.Quote(f.Instance))
		}
	}
	w.Saw(1)
	return nil
}

// snapshotMember compares a member with a JSON value.
func snapshotMember(w *world.World, member, text string) error {
	t, err := lastSnapshot(w)
	if err != nil {
		return err
	}
	want, err := steps.Decode([]byte(text))
	if err != nil {
		return steps.Faultf("%s is not JSON", text)
	}
	got, ok := t.members[member]
	if !ok {
		return t.failure(member, text, "no such member")
	}
	if !steps.Same(got, want) {
		return t.failure(member, text, steps.Clip(steps.Encode(got)))
	}
	w.Saw(1)
	return nil
}

// slack is the greatest difference of two timestamps of one clock: a Date header has full seconds and may be a second
// old.
const slack = 3 * time.Second

// snapshotTime compares the timestamp with the server's clock: the Date of the answer, or without one the timestamp of
// a later snapshot. The clock of the suite measures durations only.
func snapshotTime(w *world.World) error {
	t, err := lastSnapshot(w)
	if err != nil {
		return err
	}
	at, err := t.taken()
	if err != nil {
		return err
	}
	now, dated := t.date()
	if !dated {
		return later(w, t)
	}
	off := slack + w.Session().Target().Timing().Deadline
	if at.Before(now.Add(-off)) || at.After(now.Add(off)) {
		return t.failure("timestamp", "about "+now.UTC().Format(time.RFC3339), at.UTC().Format(time.RFC3339Nano))
	}
	w.Saw(1)
	return nil
}

// taken returns the timestamp.
func (t *snapshot) taken() (time.Time, error) {
	at, ok := instant(t.members["timestamp"])
	if !ok {
		return at, t.failure("timestamp", "milliseconds of Unix time, or a date and time in text", steps.Clip(steps.Encode(t.members["timestamp"])))
	}
	return at, nil
}

// date returns the Date header; false if there is none that can be parsed.
func (t *snapshot) date() (time.Time, bool) {
	for _, layout := range []string{time.RFC1123, time.RFC850, time.ANSIC} {
		if date, err := time.Parse(layout, t.exchange.Now().Get("date")); err == nil {
			return date, true
		}
	}
	return time.Time{}, false
}

// later takes two more snapshots and compares the difference of their timestamps with the time that has passed. From
// half to twice that time is accepted: a timestamp may be rounded, and a clock may be adjusted meanwhile.
func later(w *world.World, t *snapshot) error {
	w.NoteAlternative() // a transcript has only the snapshots that the steps request
	request := func() (time.Time, error) {
		e, err := targethelix.GetSnapshot(w.Session(), target.SnapshotRequest{Stream: t.exchange.Request.Stream, Heading: w.Step()})
		if err != nil {
			return time.Time{}, err
		}
		if t, err = readSnapshot(e); err != nil {
			return time.Time{}, err
		}
		return t.taken()
	}
	began := time.Now()
	first, err := request()
	if err != nil {
		return err
	}
	answered := time.Now()
	w.Watch(w.Session().Target().Timing().Idle)
	least := time.Since(answered)
	second, err := request()
	if err != nil {
		return err
	}
	if _, inText := t.members["timestamp"].(string); inText {
		least = 0 // it may be in full seconds
	}
	passed, most := second.Sub(first), time.Since(began)
	if passed < least/2 || passed > 2*most+time.Second {
		return t.failure("timestamp", fmt.Sprintf("between %v and %v after that of the snapshot before", least, most), fmt.Sprintf("%v after it", passed))
	}
	w.Saw(1)
	return nil
}

// instant parses milliseconds of Unix time, or a date and time in text; false for any other value.
func instant(v any) (time.Time, bool) {
	switch v := v.(type) {
	case json.Number:
		ms := steps.Float(v)
		if !(ms > -1e15 && ms < 1e15) {
			return time.Time{}, false
		}
		return time.UnixMilli(int64(ms)), true
	case string:
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700", time.RFC1123} {
			if at, err := time.Parse(layout, strings.Replace(strings.TrimSpace(v), " ", "T", 1)); err == nil {
				return at, true
			}
		}
	}
	return time.Time{}, false
}
