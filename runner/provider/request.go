package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/httpserver"
)

// mostItems limits the messages, parts of a message, or tools.
const mostItems = 10_000

// request contains the members of a completion request on which the answer depends.
type request struct {
	Model    string            `json:"model"`    // any name
	Messages list[message]     `json:"messages"` // in the order of the conversation
	Stream   bool              `json:"stream"`   // the answer comes as events
	Tools    list[offeredTool] `json:"tools"`    // that the model may call
	Options  struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// message is one of a conversation.
type message struct {
	Role    string  `json:"role"` // system, user, assistant or tool
	Content content `json:"content"`
}

// list is an array of at most mostItems. It is decoded one by one, since many small values cost far more than their bytes.
type list[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (l *list[T]) UnmarshalJSON(raw []byte) error {
	return each(raw, func(item T) { *l = append(*l, item) })
}

// each decodes the items of an array, or of null, which has none.
func each[T any](raw []byte, take func(T)) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	switch begin, err := d.Token(); {
	case err != nil || begin == nil:
		return err
	case begin != json.Delim('['):
		return errors.New("expected an array")
	}
	for n := 0; d.More(); n++ {
		if n == mostItems {
			return fmt.Errorf("an array has more than %d items", mostItems)
		}
		var item T
		if err := d.Decode(&item); err != nil {
			return err
		}
		take(item)
	}
	return nil
}

// content is a text, or the texts of parts.
type content string

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(raw []byte) error {
	var text *string
	if json.Unmarshal(raw, &text) == nil {
		if text != nil {
			*c = content(*text)
		}
		return nil
	}
	var joined strings.Builder
	if err := each(raw, func(part struct{ Text string }) { joined.WriteString(part.Text) }); err != nil {
		return fmt.Errorf("content is neither a text nor an array of parts: %w", err)
	}
	*c = content(joined.String())
	return nil
}

// read decodes a body. The fault describes the mistake in it.
func (p *Provider) read(r *http.Request, v any) *Fault {
	refused := func(status int, code, message string) *Fault {
		f := invalid("", code, message)
		f.Status = status
		return &f
	}
	body, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, httpserver.ErrFull):
		return refused(http.StatusServiceUnavailable, "", "The request was not read: "+err.Error())
	case errors.As(err, &large):
		return refused(http.StatusRequestEntityTooLarge, "request_too_large", fmt.Sprintf("The body of the request has more than %d bytes.", largest))
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refused(http.StatusRequestTimeout, "", fmt.Sprintf("The body of the request did not come within %v.", forBody))
	case err != nil:
		return refused(http.StatusBadRequest, "", "The body of the request could not be read: "+err.Error())
	}
	select {
	case p.reading <- struct{}{}:
		defer func() { <-p.reading }()
	case <-r.Context().Done():
		return refused(http.StatusServiceUnavailable, "", "The request ended before it was read.")
	}
	if err := json.Unmarshal(body, v); err != nil {
		return refused(http.StatusBadRequest, "", "We could not parse the JSON body of your request: "+err.Error())
	}
	return nil
}

// stepRequest is a request for a step of a script.
type stepRequest struct {
	request
	script *playing // that the marker names
	step   int      // index in the script's steps
	marked int      // index of the marked message
}

// choose finds the script of a request; the fixed answer where there is none to play.
func (p *Provider) choose(q request) (stepRequest, *Fault) {
	out := stepRequest{request: q, script: &playing{Script: fixed(), name: "fixed"}, marked: len(q.Messages)}
	if len(q.Messages) == 0 {
		f := invalid("messages", "", "'messages' has to be an array with at least one message.")
		return out, &f
	}
	step := 0
	for i := len(q.Messages) - 1; i >= 0; i-- {
		m := q.Messages[i]
		if m.Role == "assistant" {
			step++
			continue
		}
		if m.Role != "user" {
			continue
		}
		name, found := marked(string(m.Content))
		if !found {
			continue
		}
		p.count(true)
		s, forgotten := p.find(name)
		switch {
		case s == nil && forgotten: // the scenario is over, and its server still at work
			return out, nil
		case s == nil:
			f := invalid("messages", "unknown_marker", "There is no script "+Marker(name)+".")
			return out, &f
		case step >= len(s.Steps):
			if step > len(s.Steps) || len(s.Steps) > 0 && !s.Steps[len(s.Steps)-1].calls() {
				p.note("a server asked for more than its script has, and got the fixed answer")
			}
			return out, nil
		}
		out.script, out.step, out.marked = s, step, i
		s.mu.Lock()
		s.requestedSteps = max(s.requestedSteps, step+1)
		s.mu.Unlock()
		return out, nil
	}
	return out, nil
}

// echo returns the JSON of a part of the server's request.
func (a stepRequest) echo(what string) string {
	first, left := a.marked, max(1, a.script.Messages)-1
	for i := a.marked - 1; i >= 0 && left > 0; i-- {
		if a.Messages[i].Role == "user" {
			first, left = i, left-1
		}
	}
	if what == "messages" {
		texts := []string{}
		for _, m := range a.Messages[first:min(a.marked+1, len(a.Messages))] {
			if m.Role == "user" {
				texts = append(texts, unmarked(string(m.Content)))
			}
		}
		return encodeJSON(texts)
	}
	return encodeJSON(history(a.Messages[:first]))
}

// history returns the conversation of a request, each message as an object with the member "user" or "agent". The texts of
// an agent before and after a tool are one message. Two agent messages may follow each other when the server sends requests
// concurrently.
func history(messages []message) []map[string]string {
	said := []map[string]string{}
	var answer strings.Builder // of the agent, as far as it has come
	finish := func() {
		if answer.Len() > 0 {
			said = append(said, map[string]string{"agent": answer.String()})
			answer.Reset()
		}
	}
	after := false // a tool, so that an answer goes on
	for _, m := range messages {
		text := string(m.Content)
		switch {
		case m.Role == "user":
			finish()
			said = append(said, map[string]string{"user": unmarked(text)})
		case m.Role == "tool":
			after = true
			continue
		case m.Role != "assistant" || text == "":
			continue
		default:
			if !after {
				finish()
			}
			answer.WriteString(text)
		}
		after = false
	}
	finish()
	return said
}

// encodeJSON is JSON in which no character is escaped for HTML.
func encodeJSON(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // texts
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// offeredTool is a tool that a server offers to its model.
type offeredTool struct {
	Function struct {
		Name       string          `json:"name"`
		Parameters json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// waits performs an instruction that waits, and reports whether the answer continues.
func (a stepRequest) waits(r *http.Request, action Action) bool {
	var timer <-chan time.Time
	var barrier <-chan struct{}
	switch action := action.(type) {
	case Await:
		barrier = a.script.barrier(string(action))
	case Stall:
		if action > 0 {
			timer = time.After(time.Duration(action))
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

// modelName is the name of the only model; a request may name any other.
const modelName = "streamcert"

// created is the moment at which everything was created, in seconds of Unix time.
const created = 1700000000
