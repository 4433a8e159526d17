package world

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// Stream is a stream of the scenario with its written events.
type Stream struct {
	World   *World                 // the scenario
	name    string                 // as steps refer to it; "" for the only one
	ID      string                 // on the server
	Writers map[string]string      // name → writer id
	Events  []*Event               // numbered from 1
	markers int                    // written so far; they aren't among Events
	Ended   bool                   // a terminal call was accepted
	Paused  bool                   // a pause was accepted, and no return from it
	Gone    map[string]bool        // writers that were closed, by a step or by a reset
	Homes   map[string]int         // writer name → its replica, from 1; others use the present one
	Raced   []streammodel.Answered // the calls of the last race
	Arrays  []*Array               // written while the server was killed
	Reset   bool                   // a reset was accepted, which may have closed the writers

	Produced bool        // a run on the server's runtime writes the chunks
	IsOver   func() bool // whether its run has finished it; nil for a stream without a run
}

// Numbered returns an event of the only stream. A client must have received it, so that its id is known.
func Numbered(w *World, n int) (*Event, error) {
	s, err := w.Stream("")
	if err != nil {
		return nil, err
	}
	e, err := s.Event(n)
	if err == nil && e.ID == "" {
		err = steps.Faultf("no client has received event %d", n)
	}
	return e, err
}

// Event returns the nth event of the stream, from 1.
func (s *Stream) Event(n int) (*Event, error) {
	if n < 1 || n > len(s.Events) {
		return nil, steps.Faultf("event %d was never written; %d were", n, len(s.Events))
	}
	return s.Events[n-1], nil
}

// Learn stores the id of an event's first delivery.
func (s *Stream) Learn(m *Message) {
	for _, e := range s.Events {
		if e.ID == "" && m.Is(e) {
			e.ID = m.ID
			return
		}
	}
}

// TextDelta returns a chunk with a text, for events whose content doesn't matter.
func (w *World) TextDelta(label string, n int, extra map[string]any) []byte {
	members := map[string]any{"type": "text_delta", "delta": label + ". ", "timestamp": w.Moment(n)}
	for k, v := range extra {
		members[k] = v
	}
	return w.Chunk(members)
}

// epoch returns the timestamp of a chunk without another one, in milliseconds of Unix time. Timestamps from it on are
// unique to this scenario, so that a chunk in a wrong stream is recognized.
func (w *World) epoch() int64 { return w.Session().Epoch() }

// Moment returns the timestamp of the nth event, in milliseconds of Unix time.
func (w *World) Moment(n int) int64 { return w.epoch() + int64(n)%target.EpochLength }

// Chunk encodes a chunk with the members that every chunk has and the given ones.
func (w *World) Chunk(members map[string]any) []byte {
	all := map[string]any{"agentId": "agent-1", "agentType": "assistant", "timestamp": w.epoch()}
	for k, v := range members {
		if v == Absent {
			delete(all, k)
			continue
		}
		all[k] = v
	}
	return steps.Encode(all)
}

// Absent as a member's value removes the member.
var Absent = &struct{}{}

// Numbers parses "events 1 to 4", "event 3" and "events 1, 3 to 5".
func Numbers(list string) ([]int, error) {
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

// Stream returns the stream of a name, "" for the only one.
func (w *World) Stream(name string) (*Stream, error) {
	s, ok := w.Streams[name]
	if !ok {
		return nil, steps.Faultf("the scenario has no stream %q", name)
	}
	return s, nil
}

// StreamOf returns a stream to which nothing was written.
func StreamOf(w *World, name, id string) *Stream {
	return &Stream{World: w, name: name, ID: id, Writers: map[string]string{}, Gone: map[string]bool{}, Homes: map[string]int{}}
}

// NewStream opens a writer on a stream that didn't exist.
func (w *World) NewStream(name, id string) (*Stream, error) {
	if most := w.limits().Streams; most > 0 && len(w.Streams) >= most {
		return nil, beyondLatest("streams", most, "streams")
	}
	s := StreamOf(w, name, id)
	w.Streams[name] = s
	return s, OpenWriter(s, "")
}

// OpenWriter opens a writer; its agent is agent-1 for the first and "agent-" with the name for the others.
func OpenWriter(s *Stream, name string) error {
	agent := "agent-1"
	if name != "" {
		agent = "agent-" + name
	}
	body := steps.Encode(map[string]any{"agentId": agent, "agentType": "assistant"})
	call, err := steps.CallAt(s.World.World, s.Homes[name], "POST", "/streams/"+target.EscapeSegment(s.ID)+"/writers", body, false)
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
	s.Writers[name] = answer.WriterID
	return nil
}

// Control makes a control call on a stream.
func (s *Stream) Control(method, path string, body any) (*target.Exchange, error) {
	var raw []byte
	if body != nil {
		raw = steps.Encode(body)
	}
	return s.World.Call(method, "/streams/"+target.EscapeSegment(s.ID)+path, raw, false)
}

// Must makes a control call that the server must accept.
func (s *Stream) Must(method, path string, body any) error {
	call, err := s.Control(method, path, body)
	if err != nil {
		return err
	}
	if call.Now().Status/100 != 2 {
		return steps.Refused(call, "the control call "+method+" "+path)
	}
	return nil
}

// Post writes a body through a writer. A 404 for a writer that the server no longer knows is a refusal, not a missing
// route, once the route has answered.
func Post(s *Stream, writer string, body []byte) (*target.Exchange, error) {
	id, ok := s.Writers[writer]
	if !ok {
		return nil, steps.Faultf("stream %q has no writer %q", s.name, writer)
	}
	known := len(s.Events)+s.markers > 0
	return steps.CallAt(s.World.World, s.Homes[writer], "POST", "/streams/"+target.EscapeSegment(s.ID)+"/writers/"+target.EscapeSegment(id)+"/chunks", body, known)
}

// Write writes events in one call. It opens the writer again where a reset has closed it.
func (s *Stream) Write(writer string, evs ...*Event) error {
	if err := s.within(evs); err != nil {
		return err
	}
	body := evs[0].Body
	if len(evs) > 1 {
		bodies := make([][]byte, len(evs))
		for i, e := range evs {
			bodies[i] = e.Body
		}
		body = append(append([]byte{'['}, bytes.Join(bodies, []byte{','})...), ']')
	}
	call, err := Post(s, writer, body)
	if err != nil {
		return err
	}
	if st := call.Now().Status; s.Reset && (st == 404 || st == 409) {
		// The reset has closed the writer, as it may.
		s.Reset = false
		s.World.NoteAlternative()
		if err := OpenWriter(s, writer); err != nil {
			return err
		}
		return s.Write(writer, evs...)
	}
	if call.Now().Status/100 != 2 {
		return s.World.tooLarge(call, "the write of "+evs[0].Label, len(evs[0].Body))
	}
	return nil
}

// NextEvent adds event n, which must be the next one, with further members. The caller writes it.
func (s *Stream) NextEvent(n int, extra map[string]any) (*Event, error) {
	if n != len(s.Events)+1 {
		return nil, steps.Faultf("event %d is written after %d", n, len(s.Events))
	}
	e := NewEvent(fmt.Sprintf("event %d", n), s.World.TextDelta(fmt.Sprintf("event %d", n), n, extra))
	s.Events = append(s.Events, e)
	return e, nil
}

// WriteEvents writes the events that a step lists, in one call or in a call each.
func (s *Stream) WriteEvents(writer, list string, oneCall bool) error {
	ns, err := Numbers(list)
	if err != nil {
		return err
	}
	var batch []*Event
	for _, n := range ns {
		e, err := s.NextEvent(n, AgentOf(writer))
		if err != nil {
			return err
		}
		if batch = append(batch, e); !oneCall {
			if err := s.Write(writer, batch...); err != nil {
				return err
			}
			batch = nil
		}
	}
	if oneCall {
		return s.Write(writer, batch...)
	}
	return nil
}

// AgentOf returns the members that name the agent of a writer; the first writer needs none.
func AgentOf(writer string) map[string]any {
	if writer == "" {
		return nil
	}
	return map[string]any{"agentId": "agent-" + writer}
}

// Marker writes a chunk whose arrival proves that nothing else was to come before it. It ends a pause.
func (s *Stream) Marker() (*Event, error) {
	s.markers++
	label := fmt.Sprintf("marker %d", s.markers)
	e := NewEvent("the marker", s.World.TextDelta(label, 0, nil))
	name := ""
	if s.Gone[name] || s.Writers[name] == "" {
		name = "marker"
		if s.Gone[name] || s.Writers[name] == "" {
			delete(s.Gone, name)
			if err := OpenWriter(s, name); err != nil {
				return nil, err
			}
		}
	}
	if err := s.Write(name, e); err != nil || !s.Paused {
		return e, err
	}
	s.Paused = false // a server may hold back chunks until a pause is over
	return e, s.Must("POST", "/status", map[string]any{"status": "active"})
}

// WriteSteps writes one event for each step of the list; none is an event
// without a step.
func (s *Stream) WriteSteps(list string) error {
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
		e, err := s.NextEvent(len(s.Events)+1, extra)
		if err != nil {
			return err
		}
		if err := s.Write("", e); err != nil {
			return err
		}
	}
	return nil
}

// OnStream0 calls a handler with the only stream of the scenario.
func OnStream0(f func(*Stream) error) func(*World) error {
	return func(w *World) error {
		s, err := w.Stream("")
		if err != nil {
			return err
		}
		return f(s)
	}
}

// OnStream1 is [OnStream0] with an argument of the step.
func OnStream1[A any](f func(*Stream, A) error) func(*World, A) error {
	return func(w *World, a A) error {
		return OnStream0(func(s *Stream) error { return f(s, a) })(w)
	}
}

// OnStream2 is [OnStream0] with two arguments of the step.
func OnStream2[A, B any](f func(*Stream, A, B) error) func(*World, A, B) error {
	return func(w *World, a A, b B) error {
		return OnStream0(func(s *Stream) error { return f(s, a, b) })(w)
	}
}

// Array is one write of several events; Answered: the server accepted it.
type Array struct {
	Events   []*Event // neighbours in the stream's Events
	Answered bool     // otherwise the server may have stored all or none
}

// within returns *steps.Unprovable if the events exceed the server's limits of number or size.
func (s *Stream) within(evs []*Event) error {
	limits := s.World.limits()
	if len(s.Events)+s.markers > limits.Events {
		return beyondLatest("events", limits.Events, "events of a stream")
	}
	for _, e := range evs {
		if int64(len(e.Body)) > limits.Chunk {
			return &steps.Unprovable{Reason: fmt.Sprintf("%s has %d bytes, and the server takes %d (limits.chunk)", e.Label, len(e.Body), limits.Chunk)}
		}
	}
	return nil
}
