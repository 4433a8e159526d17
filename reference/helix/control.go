package helix

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/streamcert/streamcert/reference/request"
	"github.com/streamcert/streamcert/reference/store"
)

// call is one control call: a JSON body (nil if empty) in, a document out that is answered with 201; without one, 204.
type call func(ctx context.Context, stream string, body []byte) (document any, err error)

// control is the binding through which a test provokes streams.
type control struct{ *Handler }

func (h control) serve(w http.ResponseWriter, r *http.Request, segments []string) {
	if err := request.Local(r, h.o.KnownHost, h.o.ControlToken != ""); err != nil { // a page in a browser could make these calls otherwise
		h.refuse(w, r, err)
		return
	}
	if len(segments) > 0 && segments[0] == "runs" {
		runs{h.Handler}.serve(w, r, segments[1:])
		return
	}
	method, do := h.route(segments)
	if do == nil {
		h.refuse(w, r, errNoRoute)
		return
	}
	if r.Method != method {
		h.notAllowed(w, r, method)
		return
	}
	stream, err := h.o.StreamID(segments[1])
	if err != nil {
		h.refuse(w, r, invalid("the stream id can't be read"))
		return
	}
	body, err := h.body(w, r)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	document, err := do(r.Context(), stream, body)
	switch {
	case err != nil:
		h.refuse(w, r, err)
	case document != nil:
		answer(w, http.StatusCreated, document)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// route finds the call for a path below /control, and its method.
func (h control) route(segments []string) (method string, do call) {
	if len(segments) < 2 || segments[0] != "streams" {
		return "", nil
	}
	switch rest := segments[2:]; {
	case len(rest) == 0:
		return http.MethodDelete, h.deleteStream
	case len(rest) == 1 && rest[0] == "state":
		return http.MethodPut, h.setState
	case len(rest) == 1:
		return http.MethodPost, map[string]call{
			"writers": h.openWriter,
			"end":     h.end,
			"fail":    h.fail,
			"status":  h.setStatus,
			"cleanup": h.cleanup,
			"reset":   h.reset,
		}[rest[0]]
	case rest[0] != "writers":
		return "", nil
	}
	writer, err := url.PathUnescape(segments[3])
	switch {
	case err != nil:
		return "", nil
	case len(segments) == 4:
		return http.MethodDelete, func(ctx context.Context, stream string, _ []byte) (any, error) {
			return nil, h.o.Store.CloseWriter(ctx, stream, writer)
		}
	case len(segments) == 5 && segments[4] == "chunks":
		return http.MethodPost, func(ctx context.Context, stream string, body []byte) (any, error) {
			return h.write(ctx, stream, writer, body)
		}
	}
	return "", nil
}

func (h control) openWriter(ctx context.Context, stream string, body []byte) (any, error) {
	var agent struct {
		AgentID   string `json:"agentId"`
		AgentType string `json:"agentType"`
		RunID     string `json:"runId"`
	}
	if err := decode(body, &agent); err != nil {
		return nil, err
	}
	if agent.AgentID == "" || agent.AgentType == "" {
		return nil, invalid("a writer needs an /agentId and an /agentType")
	}
	writer, err := h.o.Store.OpenWriter(ctx, stream)
	if err != nil {
		return nil, err
	}
	return struct {
		WriterID string `json:"writerId"`
	}{writer}, nil
}

// write stores a chunk or an array of chunks, all or nothing.
func (h control) write(ctx context.Context, stream, writer string, body []byte) (any, error) {
	if len(body) == 0 {
		return nil, invalid("the body holds no chunk")
	}
	raw := []json.RawMessage{body}
	isArray := body[0] == '['
	if isArray {
		if err := decode(body, &raw); err != nil {
			return nil, err
		}
	}
	chunks := make([]store.Chunk, 0, len(raw))
	for i, chunk := range raw {
		// helix.chunks.invalid-refused: Validate runs before Append, so an invalid chunk is never stored.
		if err := h.o.Validate(chunk); err != nil {
			if isArray {
				return nil, invalid("chunk %d of the array: %v", i, err)
			}
			return nil, invalid("%v", err)
		}
		chunks = append(chunks, newChunk(chunk))
	}
	// helix.chunks.all-or-nothing: the loop above has validated the whole array, and one Append stores it.
	sequences, err := h.o.Store.Append(ctx, stream, writer, chunks)
	if err != nil {
		return nil, err
	}
	return struct {
		Sequences []int64 `json:"sequences"`
	}{sequences}, nil
}

func (h control) end(ctx context.Context, stream string, body []byte) (any, error) {
	var end struct {
		FinalOutput json.RawMessage `json:"finalOutput"`
	}
	if err := decode(body, &end); err != nil {
		return nil, err
	}
	return nil, h.o.Store.End(ctx, stream, end.FinalOutput)
}

func (h control) fail(ctx context.Context, stream string, body []byte) (any, error) {
	var fail struct {
		Error *string `json:"error"`
		Code  string  `json:"code"`
	}
	if err := decode(body, &fail); err != nil {
		return nil, err
	}
	if fail.Error == nil {
		return nil, invalid("failing a stream needs an /error")
	}
	return nil, h.o.Store.Fail(ctx, stream, *fail.Error, fail.Code)
}

func (h control) setStatus(ctx context.Context, stream string, body []byte) (any, error) {
	var to struct {
		Status store.Status `json:"status"`
	}
	if err := decode(body, &to); err != nil {
		return nil, err
	}
	// helix.wire.status-frame: no other word can become a status frame.
	if to.Status != store.Active && to.Status != store.Paused {
		return nil, invalid("/status can be set to active or paused")
	}
	return nil, h.o.Store.SetStatus(ctx, stream, to.Status)
}

func (h control) cleanup(ctx context.Context, stream string, body []byte) (any, error) {
	var to struct {
		StepCount *int64 `json:"stepCount"`
	}
	if err := decode(body, &to); err != nil {
		return nil, err
	}
	if to.StepCount == nil || *to.StepCount < 0 {
		return nil, invalid("/stepCount is a non-negative integer")
	}
	return nil, h.o.Store.Cleanup(ctx, stream, *to.StepCount)
}

func (h control) reset(ctx context.Context, stream string, _ []byte) (any, error) {
	return nil, h.o.Store.Reset(ctx, stream)
}

func (h control) deleteStream(ctx context.Context, stream string, _ []byte) (any, error) {
	h.runtime.Forget(stream)
	return nil, h.o.Store.Delete(ctx, stream)
}

// setState sets the state that a stream begins with; any JSON value is one.
func (h control) setState(ctx context.Context, stream string, body []byte) (any, error) {
	if len(body) == 0 {
		return nil, invalid("the body holds no state")
	}
	err := h.o.Store.SetInitial(ctx, stream, body)
	if errors.Is(err, store.ErrStarted) {
		err = &Error{Status: http.StatusConflict, Message: err.Error()}
	}
	return nil, err
}
