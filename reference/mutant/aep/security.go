package aep

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// security lists mutants that let content forge events, mix the data of two users, or accept scripts of every client.
func security() []edit.Mutant {
	return []edit.Mutant{
		{Name: "raw-line-ends-in-text", Requirement: "aep.security.forged-text", Also: []string{"aep.content.text", "aep.wire.json"},
			Summary: "Line ends in a text are put on the wire as they are.",
			Apply:   on.Frames(on.Kind(aep.Text)).Bytes(unescaped)},
		{Name: "raw-line-ends-in-payloads", Requirement: "aep.security.forged-payload",
			Summary: "Line ends in a continuation are put on the wire as they are.",
			Also:    []string{"aep.wire.json", "aep.actions.unchanged", "aep.done.no-action"},
			Apply:   on.Frames(on.Kind(aep.Continuation)).Bytes(unescaped)},
		{Name: "mixes-streams", Requirement: "aep.security.isolation", Stateful: true,
			Summary: "With two requests at once, text goes to whoever is served next.",
			Also:    []string{"aep.content.text", "aep.events.same-request", "aep.stages.start-first"},
			Apply:   mixesStreams},
		{Name: "echoes-headers-in-error", Requirement: "aep.security.no-secret-echo",
			Summary: "An error shows the headers of the request that it doesn't understand.",
			Wrap: on.RefusalsWhen().Edit(func(a *on.Refusal) {
				var headers bytes.Buffer
				_ = a.Request.Header.Write(&headers) // a buffer takes everything
				a.Members(func(o alter.Object) { o.Set("message", http.StatusText(a.Status)+"\n"+headers.String()) })
			})},
		{Name: "anybody-scripts", Requirement: "aep.control.token",
			Summary: "The token is asked for at the routes of control calls, and a script comes by another route.",
			Apply:   on.Trust(func(error, *aep.RequestBody) error { return nil })},
		{Name: "a-thread-stays-trusted", Requirement: "aep.control.token", Stateful: true,
			Summary: "The token of a script is looked at when a thread begins, and not when it goes on.",
			Apply: on.Trust(func(err error, ask *aep.RequestBody) error {
				if ask.Thread != "" {
					return nil
				}
				return err
			})},
	}
}

// unescaped replaces the JSON escapes of control characters by the characters.
func unescaped(complete []byte, _ aep.Event) []byte {
	return []byte(strings.NewReplacer(`\\`, `\\`, `\r`, "\r", `\n`, "\n", `\u0000`, "\x00").Replace(string(complete)))
}

// traffic is state that streams share though they should share nothing.
type traffic struct {
	open    map[string]bool
	parcels []aep.Event // the requestId of each names its response
}

// mixesStreams keeps deltas of text back while another response is open, and sends them to it.
func mixesStreams(o aep.Options) aep.Options {
	var shared alter.PerKey[traffic]
	return on.Events().To(func(r aep.Request, e aep.Event) (out []aep.Event) {
		shared.With("", func(t *traffic) {
			if t.open == nil {
				t.open = map[string]bool{}
			}
			t.open[r.ID] = true
			foreign := func(p aep.Event) bool { return p.RequestID != r.ID }
			if e.Kind != aep.Metadata {
				for _, p := range t.parcels {
					if foreign(p) {
						out = append(out, p)
					}
				}
				t.parcels = slices.DeleteFunc(t.parcels, foreign)
			}
			if e.Kind == aep.Text && e.Stage == aep.Delta && len(t.open) > 1 {
				t.parcels = append(t.parcels, e)
				return
			}
			out = append(out, e)
			if e.Kind.Terminal() {
				delete(t.open, r.ID)
			}
		})
		return out
	})(o)
}
