package helix

import (
	"context"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/runtime/modelled"
	"github.com/streamcert/streamcert/reference/runtime/script"
)

// New makes a handler.
func New(o Options) *Handler {
	h := &Handler{o: o.WithDefaults()}
	h.closing, h.close = context.WithCancel(context.Background())
	j := &journal{store: h.o.Store}
	ports := runtime.Ports{Journal: j, Tools: script.Tools{}, Handover: handover{h.o.Store, j}, Restore: h.restored}
	if h.o.Model != nil {
		ports.Tools = modelled.Tools{Client: h.o.Model, Others: ports.Tools}
	}
	h.runtime = runtime.New(h.o.Runtime(ports.WithDefaults()))
	return h
}

// Close ends every open response without a terminal frame: their readers can resume at another server. It also ends runs.
func (h *Handler) Close() {
	h.close()
	h.runtime.Close()
}

// ServeHTTP implements http.Handler. It routes by the escaped path, because cleaning or decoding it first would make one stream
// id equal to another.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// helix.security.stream-id: the path is split before it is decoded, so an encoded slash begins no new segment.
	segments := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	switch {
	case segments[0] == "control":
		if !hasToken(h.o.ControlToken, r.Header.Get("X-Streamcert-Control")) {
			h.refuse(w, r, &Error{Status: http.StatusForbidden, Message: "control calls need their token"})
			return
		}
		control{h}.serve(w, r, segments[1:])
	case segments[0] == "streams" && len(segments) == 2:
		h.read(w, r, segments[1], h.info)
	case segments[0] == "streams" && len(segments) == 3 && segments[2] == "events":
		h.read(w, r, segments[1], h.events)
	case segments[0] == "streams" && len(segments) == 3 && segments[2] == "snapshot":
		h.read(w, r, segments[1], h.snapshot)
	case segments[0] == "streams" && len(segments) == 3 && segments[2] == "messages" && h.o.Model != nil:
		h.say(w, r, segments[1])
	default:
		h.refuse(w, r, errNoRoute)
	}
}

// read handles the common part of the two routes for readers: CORS, method, credential and stream id.
func (h *Handler) read(w http.ResponseWriter, r *http.Request, segment string, serve func(http.ResponseWriter, *http.Request, string) error) {
	if r.Header.Get("Origin") != "" {
		// helix.http.cors: the header is set before anything can be refused.
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}
	switch r.Method {
	// helix.http.get: GET is the method that reads.
	case http.MethodGet:
	case http.MethodOptions:
		w.Header().Set("Allow", "GET, OPTIONS")
		w.Header().Set("Access-Control-Allow-Methods", "GET")
		w.Header().Set("Access-Control-Allow-Headers", "Last-Event-ID, Authorization, Cache-Control")
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		h.notAllowed(w, r, "GET, OPTIONS")
		return
	}
	// helix.security.credential: the check comes before the stream is looked up, so a stranger doesn't learn whether it
	// exists.
	if !h.admitted(w, r, "reading a stream") {
		return
	}
	stream, err := h.o.StreamID(segment)
	if err != nil {
		err = invalid("the stream id can't be read")
	} else {
		err = serve(w, r, stream)
	}
	if err != nil {
		h.refuse(w, r, err)
	}
}
