package aep

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
)

// apply is what a variant does to the options of its server.
type apply = func(aep.Options) aep.Options

// around is what a variant puts around the handler of its server.
type around = func(http.Handler) http.Handler

// object is a JSON object whose members keep their bytes.
type object = map[string]json.RawMessage

// onJournal changes what is sent. The function is called once for each response.
func onJournal(begin func() func(aep.Event) []aep.Event) apply {
	return func(o aep.Options) aep.Options {
		inner := o.Journal
		o.Journal = func(r aep.Request) aep.Journal {
			before, change := inner(r), begin()
			return func(e aep.Event) []aep.Event {
				var out []aep.Event
				for _, e := range before(e) {
					out = append(out, change(e)...)
				}
				return out
			}
		}
		return o
	}
}

// onEach changes events without remembering anything.
func onEach(change func(*aep.Event)) apply {
	return onJournal(func() func(aep.Event) []aep.Event {
		return func(e aep.Event) []aep.Event {
			change(&e)
			return []aep.Event{e}
		}
	})
}

// encoder makes a function an Encoder.
type encoder func(dst []byte, e aep.Event) []byte

func (f encoder) Append(dst []byte, e aep.Event) []byte { return f(dst, e) }

// onBlocks changes what is written of each event, its blank line included.
func onBlocks(change func(block []byte, e aep.Event) []byte) apply {
	return func(o aep.Options) aep.Options {
		inner := o.Encoder
		o.Encoder = func(r aep.Request) aep.Encoder {
			encode := inner(r)
			return encoder(func(dst []byte, e aep.Event) []byte {
				return append(dst, change(encode.Append(nil, e), e)...)
			})
		}
		return o
	}
}

const dataField = "data: "

// onJSON changes the JSON of every event.
func onJSON(change func(text []byte, e aep.Event) []byte) apply {
	return onBlocks(func(block []byte, e aep.Event) []byte {
		head, text, _ := bytes.Cut(block, []byte(dataField))
		text = change(bytes.TrimSuffix(text, []byte("\n\n")), e)
		return bytes.Join([][]byte{head, []byte(dataField), text, []byte("\n\n")}, nil)
	})
}

// onMembers changes the members of events.
func onMembers(change func(members object, e aep.Event)) apply {
	return onJSON(func(text []byte, e aep.Event) []byte {
		var members object
		if json.Unmarshal(text, &members) != nil {
			return text
		}
		change(members, e)
		return encode(members)
	})
}

// encode writes JSON without the escapes that only HTML needs.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // only values that came from JSON are encoded
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// onDeltas changes what the agent does. The function is called once for each turn.
func onDeltas(begin func() func(agent.Delta) []agent.Delta) apply {
	return func(o aep.Options) aep.Options {
		inner := o.Agent
		o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
			change := begin()
			return inner.Run(ctx, t, func(d agent.Delta) error {
				for _, d := range change(d) {
					if err := say(d); err != nil {
						return err
					}
				}
				return nil
			})
		})
		return o
	}
}

// onTextDeltas changes the pieces of texts and thoughts without remembering anything.
func onTextDeltas(pieces func(string) []string) apply {
	return onDeltas(func() func(agent.Delta) []agent.Delta {
		return func(d agent.Delta) []agent.Delta {
			if d.Kind != agent.Text && d.Kind != agent.Thinking {
				return []agent.Delta{d}
			}
			var out []agent.Delta
			for _, piece := range pieces(d.Piece) {
				d.Piece = piece
				out = append(out, d)
			}
			return out
		}
	})
}

// response is a ResponseWriter that does some things differently; each function may be nil.
type response struct {
	http.ResponseWriter
	head   func(status int) int                        // before the head is sent; returns the status to send
	write  func(w http.ResponseWriter, p []byte) error // called instead of a write
	stream bool
	sent   bool
}

func (w *response) WriteHeader(status int) {
	w.stream = status == http.StatusOK && strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream")
	if w.head != nil && !w.sent {
		status = w.head(status)
	}
	w.sent = true
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(p []byte) (int, error) {
	if w.write == nil {
		return w.ResponseWriter.Write(p)
	}
	if err := w.write(w.ResponseWriter, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Unwrap lets a ResponseController reach the connection.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// instead answers with another status and body.
func (w *response) instead(status int, contentType, body string) int {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.write = func(inner http.ResponseWriter, _ []byte) error {
		_, err := inner.Write([]byte(body))
		return err
	}
	return status
}

// onResponse changes answers. The function is called once for each request.
func onResponse(begin func(w *response, r *http.Request)) around {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			changed := &response{ResponseWriter: w}
			begin(changed, r)
			next.ServeHTTP(changed, r)
		})
	}
}

// onHead changes the heads of streams.
func onHead(change func(http.Header)) around {
	return onResponse(func(w *response, _ *http.Request) {
		w.head = func(status int) int {
			if w.stream {
				change(w.Header())
			}
			return status
		}
	})
}

// onBody changes how the bytes of streams are written.
func onBody(write func(w http.ResponseWriter, p []byte) error) around {
	return onResponse(func(w *response, _ *http.Request) {
		w.head = func(status int) int {
			if w.stream {
				w.write = write
			}
			return status
		}
	})
}

// onErrorBody changes the members of the bodies of errors.
func onErrorBody(change func(status int, members object) int) around {
	return onResponse(func(w *response, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/control/") {
			return
		}
		w.head = func(status int) int {
			if status < http.StatusBadRequest {
				return status
			}
			w.Header().Del("Content-Length")
			w.write = func(inner http.ResponseWriter, p []byte) error {
				var members object
				if json.Unmarshal(p, &members) == nil {
					change(status, members)
					p = encode(members)
				}
				_, err := inner.Write(p)
				return err
			}
			return change(status, object{})
		}
	})
}
