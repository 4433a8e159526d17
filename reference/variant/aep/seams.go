package aep

import (
	"encoding/json"
	"net/http"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

// apply changes the options of a server.
type apply = seams.Apply

// around stands around the handler of a server.
type around = alter.Around

// object is a JSON object whose members keep their bytes.
type object = alter.Object

const dataField = "data: "

// onBlocks changes the bytes of each event, its blank line included.
func onBlocks(change func(block []byte, e aep.Event) []byte) apply {
	return seams.OnBytes(func(aep.Request) func([]byte, aep.Event) []byte { return change })
}

// onJSON changes the JSON of every event.
func onJSON(change func(text []byte, e aep.Event) []byte) apply {
	return onBlocks(func(block []byte, e aep.Event) []byte {
		return alter.OnData(block, func(text []byte) []byte { return change(text, e) })
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
		return alter.Encode(members)
	})
}

// onTextDeltas changes the pieces of texts and thoughts without remembering anything.
func onTextDeltas(pieces func(string) []string) apply {
	return seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
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

// onHead changes the heads of streams.
func onHead(change func(http.Header)) around {
	return alter.OnResponses(alter.Any, func(w *alter.Response, _ *http.Request) {
		w.StreamOnly = true
		w.Head = func(status int) int {
			change(w.Header())
			return status
		}
	})
}

// onBody changes how the bytes of streams are written.
func onBody(write func(w http.ResponseWriter, p []byte) error) around {
	return alter.OnResponses(alter.Any, func(w *alter.Response, _ *http.Request) { w.StreamOnly, w.Send = true, write })
}

// onErrorBody changes the members of the bodies of errors.
func onErrorBody(change func(status int, members object) int) around {
	return alter.OnResponses(alter.Any, func(w *alter.Response, r *http.Request) {
		if alter.IsControl(r) {
			return
		}
		w.Head = func(status int) int {
			if status < http.StatusBadRequest {
				return status
			}
			w.Header().Del("Content-Length")
			w.Send = func(inner http.ResponseWriter, p []byte) error {
				var members object
				if json.Unmarshal(p, &members) == nil {
					change(status, members)
					p = alter.Encode(members)
				}
				_, err := inner.Write(p)
				return err
			}
			return change(status, object{})
		}
	})
}
