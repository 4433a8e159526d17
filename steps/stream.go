package steps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
)

// stream is a stream of the scenario and the ledger of what was written to it.
type stream struct {
	name    string
	id      string
	writers map[string]string // name → writer id
	events  []*event          // numbered from 1
	markers int
	ended   bool            // a terminal call was accepted
	paused  bool            // a pause was accepted, and no return from it
	gone    map[string]bool // writers that were closed, by us or by a reset

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

// epoch is the timestamp of the chunks that scenarios write, so that transcripts
// don't change from run to run.
const epoch = 1702329600000

func (s *stream) event(n int) (*event, error) {
	if n < 1 || n > len(s.events) {
		return nil, fault("event %d was never written; %d were", n, len(s.events))
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
		v, err := decode(e.body)
		if err != nil {
			panic(err) // bodies are marshalled by this package
		}
		e.decoded = v
	})
	return e.decoded
}

// textDelta is the chunk that stands for an event whose content doesn't matter.
func textDelta(label string, n int, extra map[string]any) []byte {
	members := map[string]any{"type": "text_delta", "delta": label + ". ", "timestamp": epoch + n}
	for k, v := range extra {
		members[k] = v
	}
	return chunk(members)
}

// chunk completes the members with the ones that every chunk has.
func chunk(members map[string]any) []byte {
	all := map[string]any{"agentId": "agent-1", "agentType": "assistant", "timestamp": epoch}
	for k, v := range members {
		if v == absent {
			delete(all, k)
			continue
		}
		all[k] = v
	}
	return encode(all)
}

// absent as a member's value leaves the member out.
var absent = &struct{}{}

func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only values that came from JSON are encoded
	}
	return bytes.TrimSpace(b.Bytes())
}

func decode(b []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}

// numbers reads "events 1 to 4", "event 3" and "events 1, 3 to 5".
func numbers(list string) ([]int, error) {
	list = strings.TrimPrefix(strings.TrimPrefix(list, "events"), "event")
	var out []int
	for _, part := range strings.Split(list, ",") {
		from, to, ranged := strings.Cut(strings.TrimSpace(part), " to ")
		a, err := strconv.Atoi(strings.TrimSpace(from))
		if err != nil {
			return nil, fault("%q names no events", list)
		}
		b := a
		if ranged {
			if b, err = strconv.Atoi(strings.TrimSpace(to)); err != nil || b < a {
				return nil, fault("%q names no events", list)
			}
		}
		for n := a; n <= b; n++ {
			out = append(out, n)
		}
	}
	return out, nil
}

// the returns the only stream, or the one of that name.
func (w *World) stream(name string) (*stream, error) {
	s, ok := w.streams[name]
	if !ok {
		return nil, fault("the scenario has no stream %q", name)
	}
	return s, nil
}

// newStream opens a writer on a stream that didn't exist.
func (w *World) newStream(name, id string) (*stream, error) {
	s := &stream{name: name, id: id, writers: map[string]string{}, gone: map[string]bool{}}
	w.streams[name] = s
	return s, w.openWriter(s, "")
}

// openWriter opens a writer; its agent is agent-1 for the first and the name for
// the others.
func (w *World) openWriter(s *stream, name string) error {
	agent := "agent-1"
	if name != "" {
		agent = "agent-" + name
	}
	call, err := w.control(s, "POST", "/writers", map[string]any{"agentId": agent, "agentType": "assistant"})
	if err != nil {
		return err
	}
	v := call.Now()
	var answer struct {
		WriterID string `json:"writerId"`
	}
	if v.Status/100 != 2 {
		return refused(call, "opening a writer")
	}
	if err := json.Unmarshal(v.Answer, &answer); err != nil || answer.WriterID == "" {
		return &Failure{Message: "opening a writer", Want: `a JSON object with a string "writerId"`, Got: clip(v.Answer), Exchange: call, Frame: -1}
	}
	s.writers[name] = answer.WriterID
	return nil
}

// control makes a control call on a stream.
func (w *World) control(s *stream, method, path string, body any) (*target.Exchange, error) {
	var raw []byte
	if body != nil {
		raw = encode(body)
	}
	call, err := w.session.Call(method, "/streams/"+target.EscapeSegment(s.id)+path, raw, false)
	w.mu.Lock()
	w.calls = append(w.calls, call)
	w.mu.Unlock()
	return call, err
}

// must makes a control call that has to be accepted.
func (w *World) must(s *stream, method, path string, body any) error {
	call, err := w.control(s, method, path, body)
	if err != nil {
		return err
	}
	if call.Now().Status/100 != 2 {
		return refused(call, "the control call "+method+" "+path)
	}
	return nil
}

func refused(call *target.Exchange, what string) error {
	v := call.Now()
	return &Failure{
		Message: what + " was not accepted", Want: "a 2xx answer",
		Got: statusOf(v), Exchange: call, Frame: -1,
	}
}

// clip shortens what a server said to what fits a line. Writers of reports
// escape what a terminal would obey.
func clip(b []byte) string {
	const most = 240
	s := strings.TrimSpace(string(b))
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	if s == "" {
		return "nothing"
	}
	return s
}

// post writes a body through a writer. A writer that the server no longer knows
// may be answered 404, which is a refusal and not a missing route: the route
// answered before.
func (w *World) post(s *stream, writer string, body []byte) (*target.Exchange, error) {
	id, ok := s.writers[writer]
	if !ok {
		return nil, fault("stream %q has no writer %q", s.name, writer)
	}
	known := len(s.events)+s.markers > 0
	call, err := w.session.Call("POST", "/streams/"+target.EscapeSegment(s.id)+"/writers/"+target.EscapeSegment(id)+"/chunks", body, known)
	w.mu.Lock()
	w.calls = append(w.calls, call)
	w.mu.Unlock()
	return call, err
}

// write writes chunks in one call and adds them to the ledger.
func (w *World) write(s *stream, writer string, evs ...*event) error {
	body := evs[0].body
	if len(evs) > 1 {
		bodies := make([][]byte, len(evs))
		for i, e := range evs {
			bodies[i] = e.body
		}
		body = append(append([]byte{'['}, bytes.Join(bodies, []byte{','})...), ']')
	}
	call, err := w.post(s, writer, body)
	if err != nil {
		return err
	}
	if call.Now().Status/100 != 2 {
		return refused(call, "the write of "+evs[0].label)
	}
	return nil
}

func (w *World) nextEvent(s *stream, n int, extra map[string]any) (*event, error) {
	if n != len(s.events)+1 {
		return nil, fault("event %d is written after %d", n, len(s.events))
	}
	e := newEvent(fmt.Sprintf("event %d", n), textDelta(fmt.Sprintf("event %d", n), n, extra))
	s.events = append(s.events, e)
	return e, nil
}

func (w *World) writeEvents(s *stream, writer, list string, together bool) error {
	ns, err := numbers(list)
	if err != nil {
		return err
	}
	var batch []*event
	for _, n := range ns {
		e, err := w.nextEvent(s, n, agentOf(writer))
		if err != nil {
			return err
		}
		if batch = append(batch, e); !together {
			if err := w.write(s, writer, batch...); err != nil {
				return err
			}
			batch = nil
		}
	}
	if together {
		return w.write(s, writer, batch...)
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
func (w *World) marker(s *stream) (*event, error) {
	s.markers++
	label := fmt.Sprintf("marker %d", s.markers)
	e := newEvent("the marker", textDelta(label, 0, nil))
	name := ""
	if s.gone[name] || s.writers[name] == "" {
		name = "marker"
		if s.gone[name] || s.writers[name] == "" {
			delete(s.gone, name)
			if err := w.openWriter(s, name); err != nil {
				return nil, err
			}
		}
	}
	if err := w.write(s, name, e); err != nil || !s.paused {
		return e, err
	}
	s.paused = false // a server may keep what is written during a pause until it is over
	return e, w.must(s, "POST", "/status", map[string]any{"status": "active"})
}

func streamSteps(v *Vocabulary) {
	step0(v, features.Given, `^a new stream$`, func(w *World) error {
		_, err := w.newStream("", w.session.NewStream())
		return err
	})
	step1(v, features.Given, `^a stream that holds `+events+`$`, func(w *World, list string) error {
		s, err := w.newStream("", w.session.NewStream())
		if err != nil {
			return err
		}
		return w.writeEvents(s, "", list, false)
	})
	step1(v, features.Given, `^a stream whose events are of steps ([\d, none]+)$`, func(w *World, list string) error {
		s, err := w.newStream("", w.session.NewStream())
		if err != nil {
			return err
		}
		return w.writeSteps(s, list)
	})
	both(func(k features.Keyword) {
		step1(v, k, `^writer "([^"]+)" is opened$`, onStream1(func(w *World, s *stream, name string) error {
			return w.openWriter(s, name)
		}))
	})
}

// writeSteps writes one event for each step of the list; none is an event
// without a step.
func (w *World) writeSteps(s *stream, list string) error {
	for _, part := range strings.Split(list, ",") {
		part = strings.TrimSpace(part)
		var extra map[string]any
		if part != "none" {
			n, err := strconv.Atoi(part)
			if err != nil {
				return fault("%q is no step", part)
			}
			extra = map[string]any{"step": n}
		}
		e, err := w.nextEvent(s, len(s.events)+1, extra)
		if err != nil {
			return err
		}
		if err := w.write(s, "", e); err != nil {
			return err
		}
	}
	return nil
}
