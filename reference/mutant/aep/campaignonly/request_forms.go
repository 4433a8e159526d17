package campaignonly

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// forms lists mutants that understand one of several equivalent forms.
func forms() []edit.Mutant {
	large := on.Kind(aep.Text, aep.Delta).And(on.If(func(e aep.Event) bool { return len(e.Piece) > 16<<10 }))
	zipped := on.ForRequests(func(r aep.Request) bool { return strings.Contains(r.HTTP.Header.Get("Accept-Encoding"), "gzip") })
	return []edit.Mutant{
		{Name: "falsy-outcomes-are-none", Requirement: "aep.tools.result",
			Summary: "A tool that returns nothing, false, zero or an empty text has no outcome.",
			Apply: on.Deltas(on.Does(agent.Outcome), on.IfDoes(func(d agent.Delta) bool {
				return !d.Failed && slices.Contains([]string{"", "null", "false", "0", `""`}, string(d.Returned))
			})).Drop()},
		{Name: "thread-before-messages-is-unread", Requirement: "aep.threads.created",
			Summary: "A body is read as a stream that begins with its context or its messages, and a threadId before them is passed over.",
			Apply: on.OnDecode(func(body []byte, decode func([]byte) (aep.RequestBody, error)) (aep.RequestBody, error) {
				ask, err := decode(body)
				if at := bytes.Index(body, []byte(`"threadId"`)); at >= 0 && at < bytes.Index(body, []byte(`"messages"`)) {
					ask.Thread, ask.Results = "", nil
				}
				return ask, err
			})},
		{Name: "no-results-are-refused", Requirement: "aep.request.post",
			Summary: "A list of results has to hold one.",
			Apply: on.Refusing(on.Malformed("/context/actionResults is empty"), func(body alter.Object) bool {
				return string(alter.Members(body["context"])["actionResults"]) == "[]"
			})},
		{Name: "content-types-are-compared-whole", Requirement: "aep.request.post",
			Summary: "A body whose Content-Type names a charset is refused.",
			Wrap:    alter.RefusesCharsets()},
		{Name: "accepts-no-asterisk", Requirement: "aep.request.post",
			Summary: "Who accepts whatever comes is refused, as if event streams were nothing of it.",
			Wrap:    alter.RefusesAnyType()},
		{Name: "headers-of-1-kib", Requirement: "aep.request.post",
			Summary: "A header of more than 1 KiB is refused, and a page has cookies.",
			Wrap:    alter.RefusesCookies()},
		{Name: "thread-ids-without-case", Requirement: "aep.threads.unknown",
			Summary: "The column of the threads' ids compares letters without their case.",
			Apply:   on.Asks(func(ask *aep.RequestBody) { ask.Thread = strings.ToLower(ask.Thread) })},
		{Name: "action-ids-without-case", Requirement: "aep.actions.unknown",
			Summary: "The column of the actions' ids compares letters without their case.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				lower := make([]string, len(ids))
				for i, id := range ids {
					lower[i] = strings.ToLower(id)
				}
				return a.Actions.Resolve(owner, thread, lower)
			})},
		{Name: "large-pieces-wait", Requirement: "aep.wire.live",
			Summary: "A piece of more than 16 KiB goes past a buffer that is flushed with the next event.",
			Apply:   on.Events(large).Delay(on.Kind(aep.Metadata))},
		{Name: "large-pieces-wait-in-gzip", Requirement: "aep.wire.live",
			Summary: "Where a response is compressed, a piece of more than 16 KiB comes with the next event.",
			Apply:   on.Events(large, zipped).Delay(on.Kind(aep.Metadata))},
		{Name: "long-reasons-are-not-heard", Requirement: "aep.cancel.aborted",
			Summary: "A cancellation whose body is longer than 255 bytes is accepted, and nothing comes of it.",
			Wrap: on.Requests(func(_ http.Handler, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
				func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/cancel") && r.ContentLength > 255 })},
	}
}
