package aep

import (
	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// apply changes the options of a server.
type apply = on.Apply

// around wraps the handler of a server.
type around = alter.Around

const dataField = "data: "

// onPieces changes the division of texts and reasoning into pieces.
func onPieces(pieces func(string) []string) apply {
	return on.Deltas(on.Does(agent.Text, agent.Thinking)).To(func(_ struct{}, d agent.Delta) (out []agent.Delta) {
		for _, piece := range pieces(d.Piece) {
			d.Piece = piece
			out = append(out, d)
		}
		return out
	})
}

// streams returns the answers that are streams.
func streams() alter.Answers { return alter.AnswersTo(alter.Any).When(alter.IsStream) }

// refusal returns the body of an answer with an error status.
func refusal(code, message string, retryable bool) string {
	return string(aep.AppendJSON(nil, aep.Event{Kind: aep.Failed, RequestID: "none", Code: code, Message: message, Retryable: retryable}))
}
