package helix

import (
	"net/http"

	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/runtime/modelled"
)

// say begins a run that answers a message of a user: the server's way in, which the protocol leaves open.
func (h *Handler) say(w http.ResponseWriter, r *http.Request, segment string) {
	if r.Method != http.MethodPost {
		h.notAllowed(w, r, http.MethodPost)
		return
	}
	if !h.admitted(w, r, "a stream") {
		return
	}
	run, err := h.answerUser(w, r, segment)
	if err != nil {
		h.refuse(w, r, deservedByRun(err))
		return
	}
	answer(w, http.StatusAccepted, runAnswer{run})
}

func (h *Handler) answerUser(w http.ResponseWriter, r *http.Request, segment string) (run string, err error) {
	stream, err := h.o.StreamID(segment)
	if err != nil {
		return "", invalid("the stream id can't be read")
	}
	body, err := h.body(w, r)
	if err != nil {
		return "", err
	}
	var message struct {
		Text string `json:"text"`
	}
	if err := decodeObject(body, &message); err != nil {
		return "", err
	}
	state, err := h.initialState(r.Context(), stream)
	if err != nil {
		return "", err
	}
	agent := modelled.New(h.o.Model, message.Text)
	source, err := agent.Source()
	if err != nil {
		return "", err
	}
	return h.runtime.Start(r.Context(), runtime.Start{
		Stream: stream, AgentType: "planner", Model: agent, Source: source, State: state,
	})
}
