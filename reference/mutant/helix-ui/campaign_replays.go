package helixui

import (
	"bytes"
	"net/http"
	"regexp"

	"github.com/streamcert/streamcert/reference/alter"
)

// refreshed changes the bytes that are written to refreshed pages.
func refreshed(begin func() func(written []byte) []byte) alter.Around {
	return alter.OnResponses(func(r *http.Request) bool { return readAgain(r) && r.Header.Get("Last-Event-ID") == "" }, func(w *alter.Response, _ *http.Request) {
		w.StreamOnly, w.Body = true, begin()
	})
}

var (
	messageName     = regexp.MustCompile(`"messageId":"message-(\d+","type":"start"|\d+","messageMetadata")`)
	messageMetadata = regexp.MustCompile(`,"messageMetadata":.*,"type":"start"}`)
)

// replays lists mutants that err in the parts for a refreshed page.
func replays() []Mutant {
	return []Mutant{
		{Name: "replays-name-another-message", Requirement: "helix-ui.resume.message-id",
			Summary: "A page that is refreshed gets the answer as a message of another name.",
			Wrap: refreshed(func() func([]byte) []byte {
				return func(written []byte) []byte { return messageName.ReplaceAll(written, []byte(`"messageId":"replay-$1`)) }
			})},
		{Name: "replays-without-metadata", Requirement: "helix-ui.metadata.start",
			Summary: "A page that is refreshed isn't told the metadata of the start.",
			Wrap: refreshed(func() func([]byte) []byte {
				return func(written []byte) []byte { return messageMetadata.ReplaceAll(written, []byte(`,"type":"start"}`)) }
			})},
		{Name: "pages-wait-for-the-end", Requirement: "helix-ui.text.live", Stateful: true,
			Summary: "A page that is refreshed gets what was said so far, and the rest when the turn is over.",
			Wrap: refreshed(func() func([]byte) []byte {
				var held []byte
				first := true
				return func(written []byte) []byte {
					held = append(held, written...)
					if !first && !bytes.Contains(written, []byte("[DONE]")) {
						return nil
					}
					out := held
					held, first = nil, false
					return out
				}
			})},
	}
}
