package provider

import (
	"net/http"
	"strconv"
	"time"
)

// stream is a completion that is sent as it arises.
type stream struct {
	asked
	w      http.ResponseWriter
	r      *http.Request
	flush  *http.ResponseController
	before []byte // of each event: what comes before its delta
	buffer []byte
	calls  int
	gone   bool // the client has left
}

// stream sends a step event by event.
func (p *Provider) stream(w http.ResponseWriter, r *http.Request, a asked, step Step) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	s := &stream{asked: a, w: w, r: r, flush: http.NewResponseController(w)}
	s.before = append(append([]byte(`data: {"id":`), encode(a.id())...), `,"object":"chat.completion.chunk","created":`+strconv.Itoa(created)+`,"model":`...)
	s.before = append(append(s.before, encode(a.model())...), `,"system_fingerprint":null,"choices":[`...)
	s.delta(`{"role":"assistant","content":"","refusal":null}`)
	for _, act := range step.Acts {
		if s.gone || !s.play(act) {
			return
		}
	}
	s.event(`{"index":0,"delta":{},"logprobs":null,"finish_reason":` + string(encode(step.finish())) + `}],"usage":null}`)
	if a.Options.Usage {
		s.event(`],"usage":` + string(usage(step, a.request)) + `}`)
	}
	s.write([]byte("data: [DONE]\n\n"))
}

// play does one act and reports whether the answer goes on.
func (s *stream) play(act Act) bool {
	switch act := act.(type) {
	case Text:
		s.pieces("content", words(string(act)))
	case Echo:
		s.pieces("content", words(s.echo(string(act))))
	case Thinking:
		s.pieces("reasoning_content", words(string(act)))
	case Refusal:
		s.pieces("refusal", words(string(act)))
	case Call:
		s.call(act)
	case Await, Stall:
		return s.waits(s.r, act)
	case Cut:
		s.write(append(append([]byte{}, s.before...), `{"index":0,"delta":{"content":"cu`...))
		panic(http.ErrAbortHandler)
	case Close:
		return false
	case Break:
		s.write(append(append([]byte("data: "), act.Fault.body()...), "\n\n"...))
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

// call sends a call, and its arguments in pieces. Calls of one step stand side by side, by their index.
func (s *stream) call(c Call) {
	index := string(encode(s.calls))
	s.calls++
	s.delta(`{"tool_calls":[{"index":` + index + `,"id":` + quoted(callID(s.script.name, c.Tool)) +
		`,"type":"function","function":{"name":` + quoted(c.Name) + `,"arguments":""}}]}`)
	for _, piece := range fragments(c.Arguments) {
		s.delta(`{"tool_calls":[{"index":` + index + `,"function":{"arguments":` + quoted(piece) + `}}]}`)
	}
}

func (s *stream) delta(delta string) {
	s.event(`{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":null}],"usage":null}`)
}

// event sends what follows the common beginning of all events.
func (s *stream) event(rest string) {
	s.buffer = append(append(append(s.buffer[:0], s.before...), rest...), "\n\n"...)
	s.write(s.buffer)
}

// write sends bytes at once, or in pieces where the script asks for it.
func (s *stream) write(p []byte) {
	for len(p) > 0 && !s.gone {
		n := len(p)
		if s.script.Split > 0 {
			n = min(n, s.script.Split)
		}
		if _, err := s.w.Write(p[:n]); err != nil || s.flush.Flush() != nil {
			s.gone = true
		}
		p = p[n:]
	}
}

// waits does an act that waits, and reports whether the answer goes on.
func (a asked) waits(r *http.Request, act Act) bool {
	var timer <-chan time.Time
	var barrier <-chan struct{}
	switch act := act.(type) {
	case Await:
		barrier = a.script.barrier(string(act))
	case Stall:
		if act > 0 {
			timer = time.After(time.Duration(act))
		}
	}
	select {
	case <-barrier:
	case <-timer:
	case <-a.script.over:
	case <-r.Context().Done():
		return false
	}
	return true
}

// quoted is a text as JSON.
func quoted(text string) string { return string(encode(text)) }
