package helix_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

var noon = time.UnixMilli(1702329600000)

// chunkOf returns a chunk of the agent "a" with the members given as JSON without the outer braces.
func chunkOf(kind, members string) string {
	if !strings.Contains(members, `"agentId"`) {
		members = `"agentId":"a",` + members
	}
	return strings.TrimSuffix(fmt.Sprintf(`{"type":%q,%s`, kind, members), ",") + "}"
}

func patchOf(operations string) string { return chunkOf("state_patch", `"patches":[`+operations+`]`) }

// wantSnapshot compares the snapshot of "s" with one that is written as state, messages, sequence and status.
func (s *service) wantSnapshot(query, state, messages string, sequence int, status string) {
	s.Helper()
	s.want(fmt.Sprintf(`200 {"state":%s,"messages":%s,"streamSequence":%d,"timestamp":%d,"status":%q}`,
		state, messages, sequence, noon.UnixMilli(), status), "GET", "/streams/s/snapshot"+query, "")
}

func serveAtNoon(t *testing.T) *service {
	s := serve(t, helix.Options{Now: func() time.Time { return noon }})
	s.open("s")
	return s
}

func TestSnapshotFollowsTheStream(t *testing.T) {
	s := serveAtNoon(t)
	s.wantSnapshot("", `{}`, `[]`, 0, "active")
	s.write("s", patchOf(`{"op":"add","path":"/list","value":[]}`))
	s.write("s", patchOf(`{"op":"add","path":"/list/-","value":"x"},{"op":"add","path":"/n","value":null}`))
	s.wantSnapshot("", `{"list":["x"],"n":null}`, `[]`, 2, "active")
	s.control("s", "status", `{"status":"paused"}`)
	s.write("s", `{"type":"state_patch","agentId":"a","step":2,"patches":[{"op":"add","path":"/list/-","value":"y"}]}`)
	s.wantSnapshot("", `{"list":["x"],"n":null}`, `[]`, 2, "paused")
	s.wantSnapshot("?includePartialContent=true", `{"list":["x","y"],"n":null}`, `[]`, 3, "paused")
	s.control("s", "cleanup", `{"stepCount":1}`)
	s.wantSnapshot("", `{"list":["x"],"n":null}`, `[]`, 3, "paused")
	s.control("s", "end", `{}`)
	s.wantSnapshot("?includePartialContent=false", `{"list":["x"],"n":null}`, `[]`, 3, "ended")
	s.control("s", "reset", ``)
	s.wantSnapshot("", `{}`, `[]`, 3, "active")
	s.want("204", "DELETE", "/control/streams/s", "")
	const unknown = `404 {"error":"unknown stream","code":"state_session_not_found"}`
	s.want(unknown, "GET", "/streams/s/snapshot", "")
	s.open("s")
	s.wantSnapshot("", `{}`, `[]`, 0, "active")
	s.want(`400 {"error":"includePartialContent is true or false","code":"validation_error"}`, "GET", "/streams/s/snapshot?includePartialContent=yes", "")
}

func TestInitialState(t *testing.T) {
	s := serveAtNoon(t)
	const path = "/control/streams/s/state"
	s.want(`400 {"error":"the body holds no state","code":"validation_error"}`, "PUT", path, "")
	s.want(`405 {"error":"the method is not allowed here"}`, "POST", path, "1")
	for _, state := range []string{`7`, `null`, `[1,{"a":"<"}]`, `{"km":463}`} {
		s.want("204", "PUT", path, state)
		s.wantSnapshot("", strings.ReplaceAll(state, "<", `\u003c`), `[]`, 0, "active")
	}
	s.write("s", patchOf(`{"op":"replace","path":"/km","value":464}`))
	s.want(`409 {"error":"the stream holds chunks already"}`, "PUT", path, "1")
	s.wantSnapshot("", `{"km":464}`, `[]`, 1, "active")
	s.control("s", "reset", ``)
	s.wantSnapshot("", `{"km":463}`, `[]`, 1, "active")
}

// load is a stream that writers append unique values to while snapshots are taken.
type load struct {
	testing.TB
	server  *helix.Handler
	streams *store.Memory
}

const loadWriters, loadTakers = 4, 3

// newLoad makes the stream. The options are those of the server that answers snapshots, its store included.
func newLoad(t testing.TB, options func(store.Store) helix.Options) *load {
	l := &load{TB: t, streams: new(store.Memory)}
	l.server = helix.New(options(l.streams))
	t.Cleanup(l.server.Close)
	if err := l.streams.SetInitial(t.Context(), "s", json.RawMessage(`{"list":[]}`)); err != nil {
		t.Fatal(err)
	}
	return l
}

// write has writers append to the state and the text at the same time, a value for each tick, and ends the stream.
func (l *load) write(ticks <-chan struct{}) {
	var all sync.WaitGroup
	for w := range loadWriters {
		writer, err := l.streams.OpenWriter(l.Context(), "s")
		if err != nil {
			l.Fatal(err)
		}
		all.Go(func() {
			n := 0
			for range ticks {
				n++
				value := fmt.Sprintf("%d.%d", w, n)
				if _, err := l.streams.Append(context.Background(), "s", writer, []store.Chunk{
					{JSON: json.RawMessage(patchOf(fmt.Sprintf(`{"op":"add","path":"/list/-","value":%q}`, value)))},
					{JSON: json.RawMessage(chunkOf("text_delta", fmt.Sprintf(`"delta":"%s "`, value)))},
				}); err != nil {
					l.Error(err)
				}
			}
		})
	}
	all.Wait()
	if err := l.streams.End(context.Background(), "s", nil); err != nil {
		l.Error(err)
	}
}

// point describes a snapshot: how much of the state and of the text it contained.
type point struct {
	state    []string
	text     string
	sequence int64
}

func (l *load) snapshot() (p point) {
	a := httptest.NewRecorder()
	l.server.ServeHTTP(a, httptest.NewRequest(http.MethodGet, "/streams/s/snapshot?includePartialContent=true", nil))
	var got struct {
		State          struct{ List []string }
		Messages       []helix.Message
		StreamSequence int64
	}
	if err := json.Unmarshal(a.Body.Bytes(), &got); a.Code != http.StatusOK || err != nil {
		l.Errorf("%d %s: %v", a.Code, a.Body, err)
	}
	for _, m := range got.Messages {
		for _, part := range m.Parts {
			p.text += part.Text
		}
	}
	p.state, p.sequence = got.State.List, got.StreamSequence
	return p
}

// resumed reads the stream from a snapshot to its end, and returns the result.
func (l *load) resumed(p point) (state []string, text string) {
	state, said := slices.Clone(p.state), []byte(p.text)
	sub, err := l.streams.Subscribe(l.Context(), "s", p.sequence)
	if err != nil {
		l.Fatal(err)
	}
	defer sub.Close()
	for {
		events, err := sub.Next(context.Background())
		if err == io.EOF {
			return state, string(said)
		}
		if err != nil {
			l.Fatal(err)
		}
		for _, e := range events {
			// Cut out instead of decoded: a million of them are read.
			chunk := string(e.Chunk.JSON)
			if _, rest, ok := strings.Cut(chunk, `"delta":"`); ok {
				said = append(said, strings.TrimSuffix(rest, `"}`)...)
			} else if _, rest, ok := strings.Cut(chunk, `"value":"`); ok {
				state = append(state, strings.TrimSuffix(rest, `"}]}`))
			}
		}
	}
}

// differences takes snapshots while the stream is written, and counts those that don't end at the stream's end. A value is
// written for every other snapshot, concurrently.
func (l *load) differences(want int) (taken, wrong int) {
	ticks, done := make(chan struct{}, loadWriters), make(chan struct{})
	go func() { defer close(done); l.write(ticks) }()
	points := make([][]point, loadTakers)
	var takers sync.WaitGroup
	for i := range points {
		takers.Go(func() {
			for n := 0; n < want/loadTakers+1; n++ {
				if n%2 == 0 {
					ticks <- struct{}{}
				}
				points[i] = append(points[i], l.snapshot())
			}
		})
	}
	takers.Wait()
	close(ticks)
	<-done
	state, text := l.resumed(point{})
	if len(state) < want/2 || len(state) != strings.Count(text, " ") {
		l.Fatalf("%d values were written to the state, and to the text %d", len(state), strings.Count(text, " "))
	}
	for _, p := range slices.Concat(points...) {
		gotState, gotText := l.resumed(p)
		taken++
		if !slices.Equal(gotState, state) || gotText != text {
			wrong++
		}
	}
	return taken, wrong
}

// TestSnapshotAndEventsAfterItAreComplete: a snapshot and the chunks after its sequence accumulate to the same, at any time.
func TestSnapshotAndEventsAfterItAreComplete(t *testing.T) {
	taken, wrong := newLoad(t, func(s store.Store) helix.Options { return helix.Options{Store: s} }).differences(2000)
	if taken < 2000 || wrong > 0 {
		t.Errorf("%d of %d snapshots don't end where the stream ends", wrong, taken)
	}
}

// TestBrokenSnapshotsAreFound: the test above must be able to fail.
func TestBrokenSnapshotsAreFound(t *testing.T) {
	type take = helix.Take
	for name, broken := range map[string]func(context.Context, take, helix.SnapshotRequest) (helix.Snapshot, error){
		"the state is read after the sequence": func(ctx context.Context, take take, _ helix.SnapshotRequest) (helix.Snapshot, error) {
			first, err := take(ctx, true)
			if err != nil {
				return first, err
			}
			time.Sleep(time.Millisecond)
			second, err := take(ctx, true)
			second.StreamSequence = first.StreamSequence
			return second, err
		},
		"the sequence is read after the state": func(ctx context.Context, take take, _ helix.SnapshotRequest) (helix.Snapshot, error) {
			first, err := take(ctx, true)
			if err != nil {
				return first, err
			}
			time.Sleep(time.Millisecond)
			second, err := take(ctx, true)
			first.StreamSequence = second.StreamSequence
			return first, err
		},
		"without what is being said": func(ctx context.Context, take take, _ helix.SnapshotRequest) (helix.Snapshot, error) {
			s, err := take(ctx, true)
			s.Messages = nil
			return s, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLoad(t, func(s store.Store) helix.Options { return helix.Options{Store: s, Snapshot: broken} })
			if taken, wrong := l.differences(100); wrong == 0 {
				t.Errorf("all of %d snapshots pass", taken)
			}
		})
	}
	for name, change := range map[string]func([]store.Event) []store.Event{
		"an event is folded twice": func(events []store.Event) []store.Event { return append(events[:1:1], events...) },
		"an event is lost":         func(events []store.Event) []store.Event { return events[1:] },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLoad(t, func(s store.Store) helix.Options { return helix.Options{Store: &misread{s, change}} })
			if taken, wrong := l.differences(100); wrong == 0 {
				t.Errorf("all of %d snapshots pass", taken)
			}
		})
	}
}

// misread is a store from which a snapshot that continues another one reads something else.
type misread struct {
	store.Store
	change func([]store.Event) []store.Event
}

func (m *misread) Read(ctx context.Context, stream string, after store.Mark) (store.Log, error) {
	log, err := m.Store.Read(ctx, stream, after)
	if after.Sequence > 0 && len(log.Events) > 1 {
		log.Events = m.change(log.Events)
	}
	return log, err
}

// counted counts the events that snapshots read.
type counted struct {
	store.Store
	read int
}

func (c *counted) Read(ctx context.Context, stream string, after store.Mark) (store.Log, error) {
	log, err := c.Store.Read(ctx, stream, after)
	c.read += len(log.Events)
	return log, err
}

// TestSnapshotCostsWhatIsNew: the log is read once, and again only when something was taken from it.
func TestSnapshotCostsWhatIsNew(t *testing.T) {
	c := &counted{Store: new(store.Memory)}
	s := serve(t, helix.Options{Store: c})
	s.open("s")
	ask := func(want int) {
		t.Helper()
		c.read = 0
		s.call("GET", "/streams/s/snapshot", "")
		if c.read != want {
			t.Errorf("%d events were read, want %d", c.read, want)
		}
	}
	delta := chunkOf("text_delta", `"step":2,"delta":"x"`)
	s.write("s", "["+strings.Repeat(delta+",", 99)+delta+"]")
	ask(100)
	ask(0)
	s.write("s", chunkOf("text_delta", `"step":1,"delta":"x"`))
	ask(1)
	s.control("s", "cleanup", `{"stepCount":1}`)
	ask(1)
	s.write("s", delta)
	s.write("s", chunkOf("stream_resync", `"fromSequence":101`))
	ask(2 + 3)
	ask(0)
}

// TestForgottenProjections: more streams than are remembered.
func TestForgottenProjections(t *testing.T) {
	s := serveAtNoon(t)
	for n := range 600 {
		name := fmt.Sprintf("s%d", n%300)
		s.open(name)
		s.write(name, patchOf(fmt.Sprintf(`{"op":"add","path":"/n%d","value":1}`, n/300)))
		want := `{"n0":1}`
		if n >= 300 {
			want = `{"n0":1,"n1":1}`
		}
		got := s.call("GET", "/streams/"+name+"/snapshot", "")
		if diff := cmp.Diff(true, strings.HasPrefix(got, `200 {"state":`+want+`,`)); diff != "" {
			t.Fatalf("%s: %s", name, got)
		}
	}
}
