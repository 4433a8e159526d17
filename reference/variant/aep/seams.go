package aep

import (
	"net/http"

	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// apply changes the options of a server.
type apply = on.Apply

// around stands around the handler of a server.
type around = alter.Around

const dataField = "data: "

// onPieces cuts the pieces of texts and thoughts anew.
func onPieces(pieces func(string) []string) apply {
	return on.Deltas(on.Does(agent.Text, agent.Thinking)).To(func(_ struct{}, d agent.Delta) (out []agent.Delta) {
		for _, piece := range pieces(d.Piece) {
			d.Piece = piece
			out = append(out, d)
		}
		return out
	})
}

// onBody changes how the bytes of streams are written.
func onBody(write func(w http.ResponseWriter, p []byte) error) around {
	return alter.OnResponses(alter.Any, func(w *alter.Response, _ *http.Request) { w.StreamOnly, w.Send = true, write })
}
