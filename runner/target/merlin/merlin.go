package merlin

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"

	"github.com/streamcert/streamcert/runner/target"
)

// Section returns the routes of the pack. It has no config keys.
func Section() target.Section {
	return target.Section{Name: "merlin", Doc: "what only pack merlin needs", Routes: []target.Route{Stream(1), Stream(2)}}
}

// Stream returns the route of streams of a version, 1 or 2.
func Stream(version int) target.Route {
	return target.Route{
		Name: fmt.Sprintf("merlinV%d", version), Template: fmt.Sprintf("/merlin/v%d/stream", version),
		Doc: fmt.Sprintf("takes a message and streams the answer, in version %d", version),
	}
}

// StreamRequest describes a request for a stream.
type StreamRequest struct {
	Version      int    // 1 or 2
	Stream       string // its name
	Start        []byte // initial state: members of a JSON object without its braces; nil for none
	Instructions []byte // script as a JSON array; nil sends no script
	Requirement  string // that is to be proven, "" for none
	Heading      string // describes the exchange in reports; "" hides it
	// Untrusted leaves the token of control calls out.
	Untrusted       bool
	Gzip            bool                     // asks for compression, as browsers do
	Buffer          int                      // as in a target.ReadRequest
	HTTP2           bool                     // whatever the session uses
	Unsized         bool                     // doesn't say before how long the request is
	ReuseConnection bool                     // over a connection on which another stream has ended, if one is free
	Headers         map[string]string        // that another client sends
	Spelling        func(body []byte) []byte // writes the same in another way; nil leaves it
}

// RequestStream requests a stream. The model performs the script if the kit plays the model and a model can, otherwise the control
// binding does. It returns at once, as [target.Session.RequestStream] does, and returns its errors, or an *UnavailableError for a
// script that a model can't perform if the config leaves out the control binding.
func RequestStream(s *target.Session, r StreamRequest) (*target.Reader, error) {
	t := s.Target()
	if r.Instructions != nil && t.Model() != nil {
		reader, err := modelled(s, r)
		refused := (*target.Beyond)(nil)
		switch isBeyond := errors.As(err, &refused); {
		case !isBeyond:
			return reader, err
		case !t.Scripts():
			return nil, target.Unmodelled(refused.What)
		}
	}
	if r.Instructions != nil && !t.Scripts() {
		return nil, target.Unmodelled("a script of the pack merlin")
	}
	headers := ofPage(t)
	maps.Copy(headers, r.Headers)
	return s.RequestStream(target.StreamRequest{
		Route: Stream(r.Version), Body: r.body(), Control: r.Instructions != nil && !r.Untrusted, Heading: r.Heading, Hidden: r.Heading == "", Headers: headers, Gzip: r.Gzip, HTTP2: r.HTTP2, Unsized: r.Unsized, ReuseConnection: r.ReuseConnection, Buffer: r.Buffer,
	})
}

// body returns the body of the request.
func (r StreamRequest) body() []byte {
	body := Request(question, r.Stream, r.Start, r.Instructions)
	if r.Spelling != nil {
		return r.Spelling(body)
	}
	return body
}

// ofPage returns the headers of a request that a page makes. Servers that answer pages of other origins may check them.
func ofPage(t *target.Target) map[string]string { return map[string]string{"Origin": t.Origin()} }

// question is the user message of every request. The server's output depends on the script, not on the message.
const question = "How far is it to Bergen?"

// Request returns the body of a request with a message. start are members of a JSON object without its braces, instructions a JSON
// array.
func Request(message, stream string, start, instructions []byte) []byte {
	text := encoded(message)
	if instructions == nil {
		return fmt.Appendf(nil, `{"message":%s}`, text)
	}
	if len(start) > 0 {
		start = append([]byte(","), start...)
	}
	return fmt.Appendf(nil, `{"message":%s,"conformance":{"stream":%s%s,"acts":%s}}`, text, encoded(stream), start, instructions)
}

// Release opens a barrier of a requested stream, by its model or by the control binding. The exchange is nil if the model
// opened it. The error is that of Session.Call.
func Release(s *target.Session, reader *target.Reader, stream, barrier string) (*target.Exchange, error) {
	if reader != nil {
		if script := s.PlayedBy(reader.Exchange); script != "" {
			s.Target().Model().Release(script, barrier)
			return nil, nil
		}
	}
	body := fmt.Appendf(nil, `{"barrier":%s}`, encoded(barrier))
	return s.Call(http.MethodPost, "/merlin/"+target.EscapeSegment(stream)+"/release", body, false)
}

// Aggregate requests the aggregate of a stream: its content, reasoning, citations, calls and usage after its end. Errors
// are those of Session.Document.
func Aggregate(s *target.Session, stream, heading string) (*target.Exchange, error) {
	return s.Document(target.DocumentRequest{
		Route: target.Route{Template: "/merlin/{stream}/aggregate"}, Stream: stream, Heading: heading, Hidden: heading == "", Control: true,
	})
}

// encoded writes a string as JSON.
func encoded(text string) []byte {
	b, err := json.Marshal(text)
	if err != nil { // every string can be written
		panic(fmt.Errorf("writing a body: %w", err))
	}
	return b
}
