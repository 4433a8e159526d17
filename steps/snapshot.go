package steps

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
)

func snapshotSteps(v *Vocabulary) {
	both(func(k features.Keyword) {
		step1(v, k, `^a snapshot of the stream( with partial content| without partial content|) is asked for$`,
			onStream1(func(w *World, s *stream, content string) error {
				partial := map[string]string{"": "", " with partial content": "true", " without partial content": "false"}[content]
				return w.askSnapshot(s.id, partial)
			}))
	})
	step0(v, features.When, `^a snapshot of a stream that never was is asked for$`, func(w *World) error {
		return w.askSnapshot(w.session.NewStream(), "")
	})
	step0(v, features.Then, `^the snapshot has its members$`, func(w *World) error { return w.snapshotShape() })
	step1(v, features.Then, `^the snapshot holds the state (.+)$`, func(w *World, want string) error {
		return w.snapshotMember("state", want)
	})
	step1(v, features.Then, `^the snapshot says the status "([^"]*)"$`, func(w *World, want string) error {
		return w.snapshotMember("status", strconv.Quote(want))
	})
	step0(v, features.Then, `^the sequence of the snapshot is 0$`, func(w *World) error { return w.snapshotMember("streamSequence", "0") })
	step1(v, features.Then, `^the sequence of the snapshot is that of event (\d+)$`, onStream1(func(w *World, s *stream, n int) error {
		id, err := w.idOf(s, n)
		if err != nil {
			return err
		}
		return w.snapshotMember("streamSequence", id)
	}))
	step0(v, features.Then, `^the snapshot says when it was taken$`, func(w *World) error { return w.snapshotTime() })
}

// taken is a snapshot as a page understands it.
type taken struct {
	exchange *target.Exchange
	members  map[string]any
}

func (w *World) askSnapshot(stream, partial string) error {
	r := target.SnapshotRequest{Stream: stream, Partial: partial, Heading: w.heading}
	for _, s := range w.streams {
		if s.id == stream && s.produced {
			r.Origin = target.Produced
		}
	}
	e, err := w.session.Snapshot(r)
	w.answer = e
	return err
}

// snapshot is the last one that was asked for.
func (w *World) snapshot() (*taken, error) {
	if w.answer == nil || !w.answer.IsSnapshot() {
		return nil, fault("no snapshot was asked for")
	}
	return readSnapshot(w.answer)
}

func readSnapshot(e *target.Exchange) (*taken, error) {
	v := e.Now()
	got, err := decode(v.Answer)
	members, ok := got.(map[string]any)
	if err != nil || !ok || v.Status != 200 {
		return nil, &Failure{
			Message: "a snapshot", Want: "200 with a JSON object", Got: statusOf(v), Exchange: e, Frame: -1,
		}
	}
	return &taken{exchange: e, members: members}, nil
}

func (t *taken) failure(what, want, got string) error {
	return &Failure{Message: what + " of the snapshot", Want: want, Got: got, Exchange: t.exchange, Frame: -1}
}

// cursor is the streamSequence as a reader sends it.
func (t *taken) cursor() (string, error) {
	n, ok := t.members["streamSequence"].(json.Number)
	if f := float(n); !ok || !(f >= 0) || f != float64(int64(f)) {
		return "", t.failure("streamSequence", "an integer of at least 0", clip(encode(t.members["streamSequence"])))
	}
	return strconv.FormatInt(int64(float(n)), 10), nil
}

// snapshotShape checks the document against its schema.
func (w *World) snapshotShape() error {
	t, err := w.snapshot()
	if err != nil {
		return err
	}
	for _, f := range w.env.Schemas.Document("snapshot", schemas.Strict, t.exchange.Now().Answer).Findings {
		if f.Requirement == w.requirement {
			return t.failure("the document", "one that keeps the rule", f.Message+" at "+strconv.Quote(f.Instance))
		}
	}
	w.saw(1)
	return nil
}

// snapshotMember compares one member with a JSON value.
func (w *World) snapshotMember(member, text string) error {
	t, err := w.snapshot()
	if err != nil {
		return err
	}
	want, err := decode([]byte(text))
	if err != nil {
		return fault("%s is not JSON", text)
	}
	got, ok := t.members[member]
	if !ok {
		return t.failure(member, text, "no such member")
	}
	if !same(got, want) {
		return t.failure(member, text, clip(encode(got)))
	}
	w.saw(1)
	return nil
}

// slack is how far two readings of one clock may lie apart: a Date header has whole seconds and may be a second old.
const slack = 3 * time.Second

// skew is how far the clocks of two machines may lie apart.
const skew = 5 * time.Minute

// snapshotTime compares the timestamp with the server's own clock where the answer tells it, and with ours where not.
func (w *World) snapshotTime() error {
	t, err := w.snapshot()
	if err != nil {
		return err
	}
	at, ok := instant(t.members["timestamp"])
	if !ok {
		return t.failure("timestamp", "milliseconds of Unix time, or a date and time in text", clip(encode(t.members["timestamp"])))
	}
	now, off := time.Now(), skew
	for _, layout := range []string{time.RFC1123, time.RFC850, time.ANSIC} {
		if date, err := time.Parse(layout, t.exchange.Now().Get("date")); err == nil {
			now, off = date, slack+w.session.Target().Timing().Deadline
		}
	}
	if at.Before(now.Add(-off)) || at.After(now.Add(off)) {
		return t.failure("timestamp", "about "+now.UTC().Format(time.RFC3339), at.UTC().Format(time.RFC3339Nano))
	}
	w.saw(1)
	return nil
}

// instant reads milliseconds of Unix time, or a date and time in text.
func instant(v any) (time.Time, bool) {
	switch v := v.(type) {
	case json.Number:
		ms := float(v)
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
