package provider

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// stream is a completion that is sent as it arises.
type stream struct {
	stepRequest
	w        http.ResponseWriter
	r        *http.Request
	flush    *http.ResponseController // after each piece
	before   []byte                   // prefix of each event, before its delta
	buffer   []byte
	calls    int
	split    int                       // bytes of a piece; 0: an event a piece
	spell    func(event string) string // nil: as providers write an event
	buffered []byte                    // less than a piece, which waits for the remainder
	gone     bool                      // the client has left
}

// stream sends a step event by event.
func (p *Provider) stream(w http.ResponseWriter, r *http.Request, a stepRequest, step Step) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	s := &stream{stepRequest: a, w: w, r: r, flush: http.NewResponseController(w), split: a.script.Split}
	s.before = append(append([]byte(`data: {"id":`), encode(a.id())...), `,"object":"chat.completion.chunk","created":`+strconv.Itoa(created)+`,"model":`...)
	s.before = append(append(s.before, encode(a.model())...), `,"system_fingerprint":null,"choices":[`...)
	if !s.marked(step) {
		s.delta(`{"role":"assistant","content":"","refusal":null}`)
	}
	for _, action := range step.Actions {
		if s.gone || !s.play(action) {
			return
		}
	}
	s.event(`{"index":0,"delta":{},"logprobs":null,"finish_reason":` + string(encode(step.finish())) + `}],"usage":null}`)
	if a.Options.Usage && !step.hasUsage() {
		s.usage(usage(step, a.request))
	}
	s.spelled([]byte("data: [DONE]\n\n"))
	s.drain()
}

// play performs one instruction and reports whether the answer continues.
func (s *stream) play(action Action) bool {
	switch action := action.(type) {
	case Text:
		s.pieces("content", words(string(action)))
	case Echo:
		s.pieces("content", words(s.echo(string(action))))
	case Thinking:
		s.pieces("reasoning_content", words(string(action)))
	case Refusal:
		s.pieces("refusal", words(string(action)))
	case Call:
		s.call(action)
	case Delta:
		s.delta(string(action))
	case Usage:
		s.usage(json.RawMessage(action))
	case Bytes:
		s.write([]byte(action))
	case Pieces:
		s.drain()
		s.split = int(action)
	case Spelling:
		s.spell = spellings[action]
	case Await, Stall:
		s.drain()
		return s.waits(s.r, action)
	case Disconnect:
		s.write(append(append([]byte{}, s.before...), `{"index":0,"delta":{"content":"cu`...))
		s.drain()
		panic(http.ErrAbortHandler)
	case Close:
		s.drain()
		return false
	case Break:
		s.write(append(append([]byte("data: "), action.Fault.body()...), "\n\n"...))
		s.drain()
		return false
	}
	return true
}

// pieces sends a text as deltas of a member.
func (s *stream) pieces(member string, pieces []string) {
	for _, piece := range pieces {
		if s.gone {
			return
		}
		s.delta(`{"` + member + `":` + quoted(piece) + `}`)
	}
}

// call sends a call, and its arguments in pieces. Calls of one step are parallel, by their index.
func (s *stream) call(c Call) {
	index := string(encode(s.calls))
	s.calls++
	s.delta(`{"tool_calls":[{"index":` + index + `,"id":` + quoted(callID(s.script.name, c.Tool)) +
		`,"type":"function","function":{"name":` + quoted(c.Name) + `,"arguments":""}}]}`)
	for _, piece := range fragments(c.Arguments) {
		s.delta(`{"tool_calls":[{"index":` + index + `,"function":{"arguments":` + quoted(piece) + `}}]}`)
	}
}

// delta sends an event with a delta, which is JSON.
func (s *stream) delta(delta string) {
	s.event(`{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":null}],"usage":null}`)
}

// usage sends the event that counts tokens. It has no choice.
func (s *stream) usage(usage json.RawMessage) { s.event(`],"usage":` + string(usage) + `}`) }

// event sends an event with the common prefix.
func (s *stream) event(rest string) {
	s.buffer = append(append(append(s.buffer[:0], s.before...), rest...), "\n\n"...)
	s.spelled(s.buffer)
}

// write sends bytes at once, or in pieces where the script asks for it.
func (s *stream) write(p []byte) {
	if s.split == 0 {
		s.send(p)
		return
	}
	s.buffered = append(s.buffered, p...)
	for len(s.buffered) >= s.split && !s.gone {
		s.send(s.buffered[:s.split])
		s.buffered = s.buffered[s.split:]
	}
}

// drain sends an incomplete piece, before a pause.
func (s *stream) drain() {
	s.send(s.buffered)
	s.buffered = nil
}

// send sends bytes at once. Once the client has left it does nothing: play ends the answer then.
func (s *stream) send(piece []byte) {
	if len(piece) == 0 || s.gone {
		return
	}
	if _, err := s.w.Write(piece); err != nil || s.flush.Flush() != nil {
		s.gone = true
	}
}

// quoted returns a text as JSON.
func quoted(text string) string { return string(encode(text)) }

// marked begins a body with a byte order mark where a step does, and reports whether it did.
func (s *stream) marked(step Step) bool {
	marked := len(step.Actions) > 0 && step.Actions[0] == Action(Marked)
	if marked {
		s.write([]byte("\ufeff"))
	}
	return marked
}

// spelled writes an event as the script spells it.
func (s *stream) spelled(event []byte) {
	if s.spell != nil {
		event = []byte(s.spell(string(event)))
	}
	s.write(event)
}
