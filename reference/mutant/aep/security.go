package aep

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

func security() []Mutant { return slices.Concat(securityOfContent(), controlTokens()) }

func securityOfContent() []Mutant {
	return []Mutant{{
		Name: "raw-line-ends-in-text", Requirement: "aep.security.forged-text",
		Summary: "Line ends in a text are put on the wire as they are.",
		Also:    []string{"aep.content.text", "aep.wire.json"},
		Apply:   onRaw(func(e aep.Event) bool { return e.Kind == aep.Text }),
	}, {
		Name: "raw-line-ends-in-done", Requirement: "aep.security.forged-text",
		Summary: "Line ends in the content of done are put on the wire as they are.",
		Also:    []string{"aep.wire.json", "aep.flow.terminal"},
		Apply:   onRaw(func(e aep.Event) bool { return e.Kind == aep.Done }),
	}, {
		Name: "raw-line-ends-in-payloads", Requirement: "aep.security.forged-payload",
		Summary: "Line ends in a continuation are put on the wire as they are.",
		Also:    []string{"aep.wire.json", "aep.actions.unchanged", "aep.done.no-action"},
		Apply:   onRaw(func(e aep.Event) bool { return e.Kind == aep.Continuation }),
	}, {
		Name: "mixes-streams", Requirement: "aep.security.isolation", Stateful: true,
		Summary: "With two requests at once, text goes to whoever is served next.",
		Also:    []string{"aep.content.text", "aep.events.same-request", "aep.stages.start-first"},
		Apply:   mixesStreams,
	}, {
		Name: "echoes-headers-in-error", Requirement: "aep.security.no-secret-echo",
		Summary: "An error shows the headers of the request that it doesn't understand.",
		Wrap: onRefusals(func(a *refusal) {
			var headers bytes.Buffer
			_ = a.request.Header.Write(&headers) // a buffer takes everything
			a.members(func(m object) { m["message"] = alter.Encode(http.StatusText(a.status) + "\n" + headers.String()) })
		}),
	}}
}

// controlTokens take scripts from anybody.
func controlTokens() []Mutant {
	return []Mutant{{
		Name: "anybody-scripts", Requirement: "aep.control.token",
		Summary: "The token is asked for at the routes of control calls, and a script comes by another route.",
		Apply:   onTrust(func(error, *aep.Ask) error { return nil }),
	}, {
		Name: "a-thread-stays-trusted", Requirement: "aep.control.token", Stateful: true,
		Summary: "The token of a script is looked at when a thread begins, and not when it goes on.",
		Apply: onTrust(func(err error, ask *aep.Ask) error {
			if ask.Thread != "" {
				return nil
			}
			return err
		}),
	}}
}

// onTrust changes whether a script is taken.
func onTrust(change func(err error, ask *aep.Ask) error) apply {
	return func(o aep.Options) aep.Options {
		trust := o.Trust
		o.Trust = func(r *http.Request, ask *aep.Ask) error { return change(trust(r, ask), ask) }
		return o
	}
}

// onRaw puts control characters where their JSON escapes were, in some events.
func onRaw(hit func(aep.Event) bool) apply {
	return seams.OnBytes(func(aep.Request) func([]byte, aep.Event) []byte {
		replacer := strings.NewReplacer(`\\`, `\\`, `\r`, "\r", `\n`, "\n", `\u0000`, "\x00")
		return func(whole []byte, e aep.Event) []byte {
			if hit(e) {
				return []byte(replacer.Replace(string(whole)))
			}
			return whole
		}
	})
}

// traffic is state that streams share though they should share nothing.
type traffic struct {
	open    map[string]bool
	parcels []aep.Event // each says by its requestId where it comes from
}

// mixesStreams keeps deltas of text back while another response is open, and sends them to it.
func mixesStreams(o aep.Options) aep.Options {
	shared := &locked[traffic]{v: traffic{open: map[string]bool{}}}
	return seams.OnJournal(func(r aep.Request) func(aep.Event) []aep.Event {
		return func(e aep.Event) (out []aep.Event) {
			shared.do(func(t *traffic) {
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
				if is(aep.Text, aep.Delta)(e) && len(t.open) > 1 {
					t.parcels = append(t.parcels, e)
					return
				}
				out = append(out, e)
				if e.Kind.Terminal() {
					delete(t.open, r.ID)
				}
			})
			return out
		}
	})(o)
}
