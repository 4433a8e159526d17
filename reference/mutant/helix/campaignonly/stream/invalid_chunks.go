package stream

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// refused take what they should refuse, or answer where nothing is left.
func refused() []edit.Mutant {
	return []edit.Mutant{
		{Name: "recoverable-as-a-text", Requirement: "helix.chunks.invalid-refused", Also: []string{"helix.chunks.all-or-nothing"},
			Summary: "An error chunk is taken whose recoverable is a text.",
			Apply:   edit.ValidateMended(edit.Fill("recoverable", "true", func(v json.RawMessage) bool { return len(v) > 0 && v[0] == '"' }))},
		{Name: "only-the-first-operation-is-checked", Requirement: "helix.chunks.invalid-refused", Also: []string{"helix.chunks.members", "helix.chunks.all-or-nothing"},
			Summary: "A change of the state is taken whose first operation is sound, whatever stands behind it.",
			Apply: func(o reference.Options) reference.Options {
				validate := o.Validate
				o.Validate = func(chunk []byte) error {
					members, n := alter.Members(chunk), 0
					if members.Text("type") == "state_patch" {
						members.Keep("patches", func(alter.Object) bool { n++; return n == 1 })
						chunk = alter.Encode(members)
					}
					return validate(chunk)
				}
				return o
			}},
		{Name: "unknown-type-is-not-looked-at", Requirement: "helix.chunks.agent-id",
			Also:    []string{"helix.chunks.agent-type", "helix.chunks.timestamp"},
			Summary: "A chunk of a type that the server doesn't know is relayed as it is, also without an agent.",
			Apply: func(o reference.Options) reference.Options {
				validate := o.Validate
				o.Validate = func(chunk []byte) error {
					if alter.Members(chunk).Text("type") == "hologram" {
						return nil
					}
					return validate(chunk)
				}
				return o
			}},
		{Name: "failed-stream-tells-its-end-again", Requirement: "helix.resume.no-content",
			Summary: "Whoever comes back with the id of a fail frame in the query gets the frame again.",
			Apply: on.OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader, attach on.Attachment) (store.Subscription, error) {
				sub, err := attach(ctx, s, r)
				info, _ := s.Info(ctx, r.Stream)
				if errors.Is(err, store.ErrComplete) && info.Status == store.Failed && r.Request.Header.Get("Last-Event-ID") == "" {
					r.Cursor.After = info.Terminal - 1
					return attach(ctx, s, r)
				}
				return sub, err
			})},
	}
}
