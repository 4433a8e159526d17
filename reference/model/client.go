package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Client sends requests to one provider. Make it with New.
type Client struct {
	url, key string       // without a slash at its end
	http     *http.Client // for this provider alone; it reuses connections
}

// New makes a client of a provider's base address, which ends in /v1, with a key, "" for none.
func New(url, key string) *Client {
	return &Client{url: strings.TrimSuffix(url, "/"), key: key, http: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10},
		// The key is for this provider alone.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Close closes the unused connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Message is one of a conversation.
type Message struct {
	Role    string // system, user, assistant or tool
	Content string // "" where an assistant only calls tools
	Calls   []Call // of an assistant
	CallID  string // of a tool
}

// Call is a tool call.
type Call struct {
	ID, Name  string // of the provider; its pieces are concatenated
	Arguments string // as the model wrote them, valid or not
}

// MarshalJSON writes a message as providers want it.
func (m Message) MarshalJSON() ([]byte, error) {
	out := map[string]any{"role": m.Role, "content": m.Content}
	if m.CallID != "" {
		out["tool_call_id"] = m.CallID
	}
	var calls []any
	for _, c := range m.Calls {
		calls = append(calls, map[string]any{"id": c.ID, "type": "function", "function": map[string]any{"name": c.Name, "arguments": c.Arguments}})
	}
	if calls != nil {
		out["tool_calls"] = calls
	}
	return json.Marshal(out)
}

// Error is an answer that is an error, or an error in the middle of one.
type Error struct {
	Status  int    // of the answer; 0 in the middle of one
	Message string // of the provider, or its status
}

func (e *Error) Error() string { return e.Message }

// ErrInterrupted reports that an answer ended before it was complete.
var ErrInterrupted = errors.New("the model's answer broke off")

// Answer is an answer that is on its way. It belongs to one goroutine.
type Answer struct {
	body  io.Closer   // closed by Close
	lines *lines      // of body
	index map[int]int // of calls, by the provider's

	Calls  []Call // those so far; complete once Next has returned io.EOF
	Finish string // why the model stopped, once Next has returned io.EOF
}

// Piece is the next piece of an answer; one member is set.
type Piece struct{ Text, Thinking, Refusal string }

// Complete sends a conversation. Errors: *Error, and those of the connection.
func (c *Client) Complete(ctx context.Context, messages []Message) (*Answer, error) {
	body, err := c.Stream(ctx, messages)
	if err != nil {
		return nil, err
	}
	return &Answer{body: body, lines: newLines(body), index: map[int]int{}}, nil
}

// Stream sends a conversation like Complete, and returns the body of the answer, which the caller closes.
func (c *Client) Stream(ctx context.Context, messages []Message) (io.ReadCloser, error) {
	body, err := json.Marshal(map[string]any{"model": "default", "stream": true, "messages": messages})
	if err != nil {
		return nil, fmt.Errorf("asking the model: %w", err)
	}
	res, err := c.post(ctx, "/chat/completions", body)
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

// post makes a request whose answer is a success.
func (c *Client) post(ctx context.Context, path string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("asking the model: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking the model: %w", err)
	}
	if res.StatusCode == http.StatusOK {
		res.Body = http.MaxBytesReader(nil, res.Body, mostAnswer)
		return res, nil
	}
	defer res.Body.Close()
	return nil, faultOf(res)
}

// largestFault limits the bytes that are read of an error response.
const largestFault = 64 << 10

// mostAnswer limits the bytes of any other response.
const mostAnswer = 16 << 20

func faultOf(res *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(res.Body, largestFault))
	var fault struct{ Error struct{ Message string } }
	if err != nil || json.Unmarshal(text, &fault) != nil || fault.Error.Message == "" {
		fault.Error.Message = "the model answered " + res.Status
	}
	return &Error{Status: res.StatusCode, Message: fault.Error.Message}
}

// Close ends an answer.
func (a *Answer) Close() { _ = a.body.Close() }

// chunk is one event of an answer.
type chunk struct {
	Error   *struct{ Message string } // the answer ends with it; nil for none
	Choices []struct {
		Delta struct {
			Content, Refusal string
			Reasoning        string `json:"reasoning_content"`
			Calls            []struct {
				Index    int
				ID       string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		Finish string `json:"finish_reason"`
	}
}

// Next waits for the next piece. The error io.EOF reports that the answer is complete; ErrInterrupted that it isn't and nothing more
// comes; *Error that the provider reported an error.
func (a *Answer) Next() (Piece, error) {
	for {
		data, err := a.lines.next()
		switch {
		case err != nil && a.Finish != "" && errors.Is(err, io.EOF):
			return Piece{}, io.EOF
		case err != nil:
			return Piece{}, fmt.Errorf("%w: %v", ErrInterrupted, err) // never io.EOF, which says that the answer is complete
		case string(data) == "[DONE]":
			if a.Finish == "" {
				return Piece{}, fmt.Errorf("%w: it says no finish reason", ErrInterrupted)
			}
			_, _ = io.Copy(io.Discard, a.lines.remaining()) // so that the connection can be used again
			return Piece{}, io.EOF
		}
		var c chunk
		if err := json.Unmarshal(data, &c); err != nil {
			return Piece{}, fmt.Errorf("%w: an event is no JSON: %w", ErrInterrupted, err)
		}
		if c.Error != nil {
			return Piece{}, &Error{Message: c.Error.Message}
		}
		if p := a.take(c); p != (Piece{}) {
			return p, nil
		}
	}
}

// take parses an event and returns its piece, if it has one.
func (a *Answer) take(c chunk) (p Piece) {
	for _, choice := range c.Choices {
		if choice.Finish != "" {
			a.Finish = choice.Finish
		}
		for _, call := range choice.Delta.Calls {
			at, known := a.index[call.Index]
			if !known {
				at = len(a.Calls)
				a.index[call.Index], a.Calls = at, append(a.Calls, Call{})
			}
			a.Calls[at].ID += call.ID
			a.Calls[at].Name += call.Function.Name
			a.Calls[at].Arguments += call.Function.Arguments
		}
		p = Piece{Text: choice.Delta.Content, Thinking: choice.Delta.Reasoning, Refusal: choice.Delta.Refusal}
	}
	return p
}

// Outcome is the result of a call.
type Outcome struct {
	Result   json.RawMessage // any JSON value; nil if Error is set
	Error    *string         // nil if the call succeeded
	Summary  string          // for the user; "" leaves it to the caller
	Approval bool            // the user has to approve the call first
	Client   bool            // the client runs the tool
}

// Tool requests the result of a call. An unknown tool yields an Outcome with an Error. Errors are those of the connection.
func (c *Client) Tool(ctx context.Context, call Call) (Outcome, error) {
	body, err := json.Marshal(map[string]string{"id": call.ID, "name": call.Name, "arguments": call.Arguments})
	if err != nil {
		return Outcome{}, fmt.Errorf("asking for a tool: %w", err)
	}
	res, err := c.post(ctx, "/tools", body)
	if fault := (*Error)(nil); errors.As(err, &fault) {
		return Outcome{Error: &fault.Message}, nil
	}
	if err != nil {
		return Outcome{}, err
	}
	defer res.Body.Close()
	var out Outcome
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		return Outcome{}, fmt.Errorf("reading what a tool returns: %w", err)
	}
	return out, nil
}
