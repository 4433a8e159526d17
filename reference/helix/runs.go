package helix

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/runtime/modelled"
	"github.com/streamcert/streamcert/reference/runtime/script"
	"github.com/streamcert/streamcert/reference/store"
)

// runCall is one call that steers a run; the run that it returns, if any, is answered with 202, none with 204.
type runCall func(s *runtime.Session, body []byte) (run string, err error)

// runAnswer contains the id of the run for later calls.
type runAnswer struct {
	RunID string `json:"runId"` // unique in the server
}

// runs are the calls that start and steer runs.
type runs struct{ *Handler }

// serve answers one request. The segments are those after /control/runs.
func (h runs) serve(w http.ResponseWriter, r *http.Request, segments []string) {
	status, document, err := http.StatusNoContent, any(nil), error(nil)
	switch method, do := h.route(segments); {
	case do == nil:
		err = errNoRoute
	case r.Method != method:
		h.notAllowed(w, r, method)
		return
	default:
		status, document, err = do(w, r)
	}
	switch {
	case err != nil:
		h.refuse(w, r, deservedByRun(err))
	case document != nil:
		answer(w, status, document)
	default:
		w.WriteHeader(status)
	}
}

// runAnswering is a route of runs.
type runAnswering func(w http.ResponseWriter, r *http.Request) (status int, document any, err error)

// route finds the route for a path below /control/runs, and its method.
func (h runs) route(segments []string) (method string, do runAnswering) {
	switch len(segments) {
	case 0:
		return http.MethodPost, h.start
	case 1:
		return http.MethodGet, func(_ http.ResponseWriter, r *http.Request) (int, any, error) {
			return h.state(r, segments[0])
		}
	case 2:
		if segments[1] == "supersede" {
			return http.MethodPost, func(w http.ResponseWriter, r *http.Request) (int, any, error) {
				return h.supersede(w, r, segments[0])
			}
		}
		if steer := steering()[segments[1]]; steer != nil {
			return http.MethodPost, func(w http.ResponseWriter, r *http.Request) (int, any, error) {
				return h.steer(w, r, segments[0], steer)
			}
		}
	}
	return "", nil
}

// steering returns the calls that steer a run, by the last part of their path.
func steering() map[string]runCall {
	return map[string]runCall{
		"release":     releaseRun,
		"interrupt":   interruptRun,
		"resume":      resumeRun,
		"tool-result": answerRun,
		"crash":       func(s *runtime.Session, _ []byte) (string, error) { return "", s.Crash() },
		"rollback":    rollbackRun,
		"branch":      branchRun,
		"retry":       retryRun,
	}
}

func (h runs) start(w http.ResponseWriter, r *http.Request) (int, any, error) {
	body, err := h.body(w, r)
	if err != nil {
		return 0, nil, err
	}
	var start struct {
		Stream       string          `json:"stream"`
		AgentType    string          `json:"agentType"`
		Script       json.RawMessage `json:"script"`
		OutputSchema json.RawMessage `json:"outputSchema"`
	}
	if err := decodeObject(body, &start); err != nil {
		return 0, nil, err
	}
	if start.Stream == "" || start.AgentType == "" {
		return 0, nil, invalid("a run needs a /stream and an /agentType")
	}
	if start.OutputSchema != nil && start.OutputSchema[0] != '{' {
		return 0, nil, invalid("/outputSchema is an object")
	}
	model, err := script.Parse(start.Script)
	if err != nil {
		return 0, nil, invalid("%v", err)
	}
	state, err := h.initialState(r.Context(), start.Stream)
	if err != nil {
		return 0, nil, err
	}
	run, err := h.runtime.Start(r.Context(), runtime.Start{
		Stream: start.Stream, AgentType: start.AgentType, Model: model, Source: start.Script, OutputSchema: start.OutputSchema, State: state,
	})
	return http.StatusAccepted, runAnswer{run}, err
}

// initialState returns the state that a stream begins with; nil if there is none, or if it isn't an object, which no run
// could write to.
func (h *Handler) initialState(ctx context.Context, stream string) (map[string]json.RawMessage, error) {
	log, err := h.o.Store.Read(ctx, stream, store.Mark{})
	switch {
	case errors.Is(err, store.ErrUnknownStream):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var state map[string]json.RawMessage
	if json.Unmarshal(log.Initial, &state) != nil {
		return nil, nil
	}
	return state, nil
}

// state answers with the state of a run; with ?settled, once it has nothing left to do.
func (h runs) state(r *http.Request, segment string) (int, any, error) {
	s, err := h.session(segment)
	if err != nil {
		return 0, nil, err
	}
	if !r.URL.Query().Has("settled") {
		return http.StatusOK, s.State(), nil
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.closing, cancel)()
	state, err := s.Settled(ctx)
	if err != nil && h.closing.Err() != nil {
		err = &Error{Status: http.StatusServiceUnavailable, Message: "the server closes"}
	}
	return http.StatusOK, state, err
}

func (h runs) session(segment string) (*runtime.Session, error) {
	run, err := url.PathUnescape(segment)
	if err != nil {
		return nil, invalid("the run id can't be read")
	}
	return h.runtime.Session(run)
}

func (h runs) steer(w http.ResponseWriter, r *http.Request, segment string, do runCall) (int, any, error) {
	body, err := h.body(w, r)
	if err != nil {
		return 0, nil, err
	}
	s, err := h.session(segment)
	if err != nil {
		return 0, nil, err
	}
	run, err := do(s, body)
	if err != nil || run == "" {
		return http.StatusNoContent, nil, err
	}
	return http.StatusAccepted, runAnswer{run}, nil
}

// supersede takes a run over, also one that is at work in another process.
func (h runs) supersede(w http.ResponseWriter, r *http.Request, segment string) (int, any, error) {
	if _, err := h.body(w, r); err != nil {
		return 0, nil, err
	}
	named, err := url.PathUnescape(segment)
	if err != nil {
		return 0, nil, invalid("the run id can't be read")
	}
	run, err := h.runtime.Supersede(r.Context(), named)
	return http.StatusAccepted, runAnswer{run}, err
}

// restored makes the model of a session that another process began: from a script, which is an array, or from a user's
// message.
func (h *Handler) restored(source json.RawMessage, said []json.RawMessage) (runtime.Model, error) {
	switch {
	case source[0] == '[':
		return script.Parse(source)
	case h.o.Model == nil:
		return nil, errors.New("the session asks a model, and this process has none")
	}
	return modelled.Restore(h.o.Model, source, said)
}

// deservedByRun gives the errors of a runtime their answers.
func deservedByRun(err error) error {
	var state *runtime.StateError
	var schema *runtime.SchemaError
	switch {
	case errors.As(err, &state):
		// helix.runs.refused: the runtime knows its state.
		return &Error{Status: http.StatusConflict, Code: state.Code, Message: state.Message}
	case errors.As(err, &schema):
		return &Error{Status: http.StatusBadRequest, Code: "validation_error", Message: schema.Error()}
	case errors.Is(err, runtime.ErrUnknownRun):
		return &Error{Status: http.StatusNotFound, Code: "state_session_not_found", Message: "unknown run"}
	case errors.Is(err, runtime.ErrClosed):
		return &Error{Status: http.StatusServiceUnavailable, Message: "the server closes"}
	}
	return err
}
