package helixui

import (
	"net/http"
	"slices"
	"strconv"
)

// afterStart is the position after the `start` of a turn, which may not have come yet.
const afterStart = -1

// stream sends a turn to one reader, from one of its parts on, with others before it.
// helix-ui.resume.goes-on: the turn goes on when the reader leaves.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request, t *turn, before []Event, from int) {
	head := w.Header()
	// helix-ui.wire.content-type, helix-ui.wire.header, helix-ui.wire.cache-control: the head describes the body.
	head.Set("Content-Type", "text/event-stream")
	head.Set("X-Vercel-Ai-Ui-Message-Stream", "v1")
	head.Set("Cache-Control", "no-cache")
	head.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	flush, encoder := http.NewResponseController(w), h.o.Encoder(t.Turn)
	var begin []byte
	for _, e := range before {
		begin = encoder.Append(begin, e)
	}
	skips := from == afterStart
	for from = max(from, 0); ; {
		stored, over, changed := t.now()
		out := begin
		begin = nil
		for ; from < len(stored); from++ {
			if skips {
				skips = stored[from].Part.Type() != "start"
				continue
			}
			out = encoder.Append(out, stored[from])
		}
		if over {
			// helix-ui.flow.done-last, helix-ui.flow.closes: the handler returns after it, which closes the body.
			out = encoder.Append(out, Event{})
		}
		if len(out) > 0 {
			if _, err := w.Write(out); err != nil {
				return // the reader has left
			}
		}
		// helix-ui.text.live: a stored part is sent at once.
		if err := flush.Flush(); err != nil || over {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// resume sends the latest turn of a chat to a reader that comes back.
func (h *Handler) resume(w http.ResponseWriter, r *http.Request, name string, user int) error {
	cursor, hasCursor := r.Header["Last-Event-Id"]
	after := 0
	if hasCursor {
		// helix-ui.resume.bad-cursor: an invalid id was never sent.
		var err error
		if after, err = strconv.Atoi(cursor[0]); err != nil || after < 0 {
			return invalid("Last-Event-ID is not an id of this stream")
		}
	}
	c := h.chatOf(user, name)
	var t *turn
	if c != nil {
		t = c.turn()
	}
	if t == nil {
		// helix-ui.resume.unknown: if there is nothing to read, the front end gets no error.
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	stored, over, _ := t.now()
	// helix-ui.resume.nothing, helix-ui.resume.after: a turn that is over is sent to those only who lack its end.
	if over && (!hasCursor || len(stored) == 0 || stored[len(stored)-1].ID <= after) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if h.o.NoReplay && !hasCursor {
		h.stream(w, r, t, reopened(stored), len(stored))
		return nil
	}
	first := h.o.Resumed(stored, after, hasCursor)
	if after < t.answered && (hasCursor || first == 0) && !h.o.ResponseAlone {
		// helix-ui.replay.once: the history doesn't have the message until it is over, so the page gets all of it.
		// helix-ui.resume.after: a page that comes back with an id of an earlier response gets the rest of that, too.
		h.stream(w, r, t, slices.DeleteFunc(slices.Clone(t.before), func(e Event) bool { return e.ID <= after }), afterStart)
		return nil
	}
	h.stream(w, r, t, nil, first)
	return nil
}

// reopened returns the starts of the message and of its open parts, and the inputs of calls without a result.
// helix-ui.replay.once: they repeat no content of the history, except calls, which a client identifies by their ids.
func reopened(stored []Event) []Event {
	if len(stored) == 0 {
		return nil
	}
	var out, calls []Event
	for _, e := range stored {
		e.ID = stored[len(stored)-1].ID
		switch kind := e.Part.Type(); kind {
		case "start", "start-step", "text-start", "reasoning-start":
			out = append(out, e)
		case "finish-step", "text-end", "reasoning-end":
			out = out[:max(len(out)-1, 0)] // the part that was opened last
		case "tool-input-start", "tool-input-delta", "tool-input-available":
			calls = append(calls, e)
		case "tool-input-error", "tool-output-available", "tool-output-error", "tool-output-denied":
			id := e.Part["toolCallId"]
			calls = slices.DeleteFunc(calls, func(c Event) bool { return c.Part["toolCallId"] == id })
		}
	}
	return append(out, calls...)
}
