package helix

import (
	"context"
	"encoding/json"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// outputs end a stream in another way where the agent returned nothing.
func outputs() []Variant {
	return []Variant{
		{Name: "ends-with-the-last-words", Freedom: "helix.output.final-output",
			Summary: "Where the root agent returned nothing, the stream ends with what it said last, or with null.",
			Apply: func(o reference.Options) reference.Options {
				var said alter.PerKey[string]
				return on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
					j.Note(func(w runtime.Writer, c runtime.Chunk) {
						if delta, ok := c["delta"].(string); ok && c.AgentID() == w.Session {
							said.Set(w.Run, delta)
						}
					})
					j.OnEnd = func(ctx context.Context, w runtime.Writer, output json.RawMessage) error {
						if text := said.Get(w.Run); output == nil && text != "" {
							output = alter.Encode(text)
						} else if output == nil {
							output = json.RawMessage("null")
						}
						return inner.End(ctx, w, output)
					}
				})(o)
			}},
	}
}
