package helix

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/features"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// stream is a stream of the scenario and the ledger of what was written to it.
type stream struct {
	w       *world
	name    string
	id      string
	writers map[string]string // name → writer id
	events  []*event          // numbered from 1
	markers int
	ended   bool            // a terminal call was accepted
	paused  bool            // a pause was accepted, and no return from it
	gone    map[string]bool // writers that were closed, by us or by a reset
	homes   map[string]int  // the replicas of writers that stay on one
	raced   []streammodel.Answered
	arrays  []*array // that were written while the server was killed
	reset   bool     // a reset was accepted, which may have closed the writers

	produced bool // the chunks are those of the server's own runtime
}

// event is one chunk that the runner wrote.
type event struct {
	label string // "event 3", "the marker"
	body  []byte
	id    string // SSE id with which it was first delivered, "" until then

	decoded any // the value of body, once it was asked for
	once    sync.Once
}

// numbered is an event of the scenario's stream that a client has received, so that its id is known.
func numbered(w *world, n int) (*event, error) {
	s, err := w.stream("")
	if err != nil {
		return nil, err
	}
	e, err := s.event(n)
	if err == nil && e.id == "" {
		err = steps.Faultf("no client has received event %d", n)
	}
	return e, err
}

func (s *stream) event(n int) (*event, error) {
	if n < 1 || n > len(s.events) {
		return nil, steps.Faultf("event %d was never written; %d were", n, len(s.events))
	}
	return s.events[n-1], nil
}

// learn notes the id with which an event was first delivered.
func (s *stream) learn(m *message) {
	for _, e := range s.events {
		if e.id == "" && m.is(e) {
			e.id = m.id
			return
		}
	}
}

func newEvent(label string, body []byte) *event { return &event{label: label, body: body} }

// value is the decoded body.
func (e *event) value() any {
	e.once.Do(func() {
		v, err := steps.Decode(e.body)
		if err != nil {
			panic(err) // bodies are marshalled by this package
		}
		e.decoded = v
	})
	return e.decoded
}

// textDelta is the chunk that stands for an event whose content doesn't matter.
func (w *world) textDelta(label string, n int, extra map[string]any) []byte {
	members := map[string]any{"type": "text_delta", "delta": label + ". ", "timestamp": w.moment(n)}
	for k, v := range extra {
		members[k] = v
	}
	return w.chunk(members)
}

// epoch is the timestamp of a chunk that has none of its own. No other scenario of the run writes it, or one of the
// moments after it, so that a chunk which strays is known by it.
func (w *world) epoch() int64 { return w.Session().Epoch() }

// moment is the timestamp of the nth event.
func (w *world) moment(n int) int64 { return w.epoch() + int64(n)%target.EpochLength }

// chunk completes the members with the ones that every chunk has.
func (w *world) chunk(members map[string]any) []byte {
	all := map[string]any{"agentId": "agent-1", "agentType": "assistant", "timestamp": w.epoch()}
	for k, v := range members {
		if v == absent {
			delete(all, k)
			continue
		}
		all[k] = v
	}
	return steps.Encode(all)
}

// absent as a member's value leaves the member out.
var absent = &struct{}{}

// numbers reads "events 1 to 4", "event 3" and "events 1, 3 to 5".
func numbers(list string) ([]int, error) {
	list = strings.TrimPrefix(strings.TrimPrefix(list, "events"), "event")
	var out []int
	for _, part := range strings.Split(list, ",") {
		from, to, ranged := strings.Cut(strings.TrimSpace(part), " to ")
		a, err := strconv.Atoi(strings.TrimSpace(from))
		if err != nil {
			return nil, steps.Faultf("%q names no events", list)
		}
		b := a
		if ranged {
			if b, err = strconv.Atoi(strings.TrimSpace(to)); err != nil || b < a {
				return nil, steps.Faultf("%q names no events", list)
			}
		}
		for n := a; n <= b; n++ {
			out = append(out, n)
		}
	}
	return out, nil
}

// the returns the only stream, or the one of that name.
func (w *world) stream(name string) (*stream, error) {
	s, ok := w.streams[name]
	if !ok {
		return nil, steps.Faultf("the scenario has no stream %q", name)
	}
	return s, nil
}

// streamOf is a stream of which the ledger holds nothing.
func streamOf(w *world, name, id string) *stream {
	return &stream{w: w, name: name, id: id, writers: map[string]string{}, gone: map[string]bool{}, homes: map[string]int{}}
}

// newStream opens a writer on a stream that didn't exist.
func (w *world) newStream(name, id string) (*stream, error) {
	if most := w.limits().Streams; most > 0 && len(w.streams) >= most {
		return nil, beyondLatest("streams", most, "streams")
	}
	s := streamOf(w, name, id)
	w.streams[name] = s
	return s, openWriter(s, "")
}

// openWriter opens a writer; its agent is agent-1 for the first and the name for
// the others.
func openWriter(s *stream, name string) error {
	agent := "agent-1"
	if name != "" {
		agent = "agent-" + name
	}
	body := steps.Encode(map[string]any{"agentId": agent, "agentType": "assistant"})
	call, err := steps.CallAt(s.w.World, s.homes[name], "POST", "/streams/"+target.EscapeSegment(s.id)+"/writers", body, false)
	if err != nil {
		return err
	}
	v := call.Now()
	var answer struct {
		WriterID string `json:"writerId"`
	}
	if v.Status/100 != 2 {
		return steps.Refused(call, "opening a writer")
	}
	if err := json.Unmarshal(v.Answer, &answer); err != nil || answer.WriterID == "" {
		return &steps.Failure{Finding: record.Finding{Message: "opening a writer", Want: `a JSON object with a string "writerId"`, Got: steps.Clip(v.Answer), Frame: -1}, Exchange: call}
	}
	s.writers[name] = answer.WriterID
	return nil
}

// control makes a control call on a stream.
func (s *stream) control(method, path string, body any) (*target.Exchange, error) {
	var raw []byte
	if body != nil {
		raw = steps.Encode(body)
	}
	return s.w.Call(method, "/streams/"+target.EscapeSegment(s.id)+path, raw, false)
}

// must makes a control call that has to be accepted.
func (s *stream) must(method, path string, body any) error {
	call, err := s.control(method, path, body)
	if err != nil {
		return err
	}
	if call.Now().Status/100 != 2 {
		return steps.Refused(call, "the control call "+method+" "+path)
	}
	return nil
}

// post writes a body through a writer. A writer that the server no longer knows
// may be answered 404, which is a refusal and not a missing route: the route
// answered before.
func post(s *stream, writer string, body []byte) (*target.Exchange, error) {
	id, ok := s.writers[writer]
	if !ok {
		return nil, steps.Faultf("stream %q has no writer %q", s.name, writer)
	}
	known := len(s.events)+s.markers > 0
	return steps.CallAt(s.w.World, s.homes[writer], "POST", "/streams/"+target.EscapeSegment(s.id)+"/writers/"+target.EscapeSegment(id)+"/chunks", body, known)
}

// write writes chunks in one call and adds them to the ledger.
func (s *stream) write(writer string, evs ...*event) error {
	if err := s.within(evs); err != nil {
		return err
	}
	body := evs[0].body
	if len(evs) > 1 {
		bodies := make([][]byte, len(evs))
		for i, e := range evs {
			bodies[i] = e.body
		}
		body = append(append([]byte{'['}, bytes.Join(bodies, []byte{','})...), ']')
	}
	call, err := post(s, writer, body)
	if err != nil {
		return err
	}
	if st := call.Now().Status; s.reset && (st == 404 || st == 409) {
		// The writer was closed by the reset, as a server may do.
		s.reset = false
		s.w.NoteAlternative()
		if err := openWriter(s, writer); err != nil {
			return err
		}
		return s.write(writer, evs...)
	}
	if call.Now().Status/100 != 2 {
		return s.w.tooLarge(call, "the write of "+evs[0].label, len(evs[0].body))
	}
	return nil
}

func (s *stream) nextEvent(n int, extra map[string]any) (*event, error) {
	if n != len(s.events)+1 {
		return nil, steps.Faultf("event %d is written after %d", n, len(s.events))
	}
	e := newEvent(fmt.Sprintf("event %d", n), s.w.textDelta(fmt.Sprintf("event %d", n), n, extra))
	s.events = append(s.events, e)
	return e, nil
}

func (s *stream) writeEvents(writer, list string, sideBySide bool) error {
	ns, err := numbers(list)
	if err != nil {
		return err
	}
	var batch []*event
	for _, n := range ns {
		e, err := s.nextEvent(n, agentOf(writer))
		if err != nil {
			return err
		}
		if batch = append(batch, e); !sideBySide {
			if err := s.write(writer, batch...); err != nil {
				return err
			}
			batch = nil
		}
	}
	if sideBySide {
		return s.write(writer, batch...)
	}
	return nil
}

func agentOf(writer string) map[string]any {
	if writer == "" {
		return nil
	}
	return map[string]any{"agentId": "agent-" + writer}
}

// marker writes a chunk whose arrival proves that nothing came before it.
func (s *stream) marker() (*event, error) {
	s.markers++
	label := fmt.Sprintf("marker %d", s.markers)
	e := newEvent("the marker", s.w.textDelta(label, 0, nil))
	name := ""
	if s.gone[name] || s.writers[name] == "" {
		name = "marker"
		if s.gone[name] || s.writers[name] == "" {
			delete(s.gone, name)
			if err := openWriter(s, name); err != nil {
				return nil, err
			}
		}
	}
	if err := s.write(name, e); err != nil || !s.paused {
		return e, err
	}
	s.paused = false // a server may keep what is written during a pause until it is over
	return e, s.must("POST", "/status", map[string]any{"status": "active"})
}

func streamSteps(v *steps.Sentences[*world]) {
	steps.Step0(v, features.Given, `^a new stream$`, func(w *world) error {
		_, err := w.newStream("", w.Session().NewStream())
		return err
	})
	steps.Step1(v, features.Given, `^a stream that holds `+events+`$`, func(w *world, list string) error {
		s, err := w.newStream("", w.Session().NewStream())
		if err != nil {
			return err
		}
		return s.writeEvents("", list, false)
	})
	steps.Step1(v, features.Given, `^a stream whose events are of steps ([\d, none]+)$`, func(w *world, list string) error {
		s, err := w.newStream("", w.Session().NewStream())
		if err != nil {
			return err
		}
		return s.writeSteps(list)
	})
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^writer "([^"]+)" is opened$`, onStream1(openWriter))
	})
}

// writeSteps writes one event for each step of the list; none is an event
// without a step.
func (s *stream) writeSteps(list string) error {
	for _, part := range strings.Split(list, ",") {
		part = strings.TrimSpace(part)
		var extra map[string]any
		if part != "none" {
			n, err := strconv.Atoi(part)
			if err != nil {
				return steps.Faultf("%q is no step", part)
			}
			extra = map[string]any{"step": n}
		}
		e, err := s.nextEvent(len(s.events)+1, extra)
		if err != nil {
			return err
		}
		if err := s.write("", e); err != nil {
			return err
		}
	}
	return nil
}

// onStream0 to onStream2 hand a handler the scenario's only stream.

func onStream0(f func(*stream) error) func(*world) error {
	return func(w *world) error {
		s, err := w.stream("")
		if err != nil {
			return err
		}
		return f(s)
	}
}

func onStream1[A any](f func(*stream, A) error) func(*world, A) error {
	return func(w *world, a A) error {
		return onStream0(func(s *stream) error { return f(s, a) })(w)
	}
}

func onStream2[A, B any](f func(*stream, A, B) error) func(*world, A, B) error {
	return func(w *world, a A, b B) error {
		return onStream0(func(s *stream) error { return f(s, a, b) })(w)
	}
}
