package helixui

import (
	"bytes"
	"net/http"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// carriage lists mutants that err where an answer is compressed or read slowly, and where it contains parts of the
// application.
func carriage() []Mutant {
	return []Mutant{
		{Name: "compressed-answers-wait", Requirement: "helix-ui.text.live",
			Summary: "Who accepts gzip gets what the compressor lets go.",
			Wrap:    alter.Compressed(false)},
		{Name: "slow-readers-lose-parts", Requirement: "helix-ui.resume.after", Stateful: true,
			Summary: "For a reader that is slow the latest 256 parts are kept.",
			Wrap: on.Streams(func(w *alter.Response, r *http.Request) {
				begun := false
				w.Body = func(written []byte) []byte {
					const blank = "\n\n"
					for begun && readAgain(r) && bytes.Count(written, []byte(blank)) > 256 {
						_, written, _ = bytes.Cut(written, []byte(blank))
					}
					begun = true
					return written
				}
			})},
		{Name: "texts-go-on-behind-files", Requirement: "helix-ui.text.opened", Stateful: true,
			Summary: "What the model says behind a file or a source goes on in the text that was ended before it.",
			Apply: on.Parts().Map(func(helixui.Turn) func(helixui.Part) []helixui.Part {
				var ended, of any // the text that ended last, and the one that goes on in its place
				between := false
				return func(p helixui.Part) []helixui.Part {
					switch p.Type() {
					case "text-end":
						if p["id"] == of {
							p["id"] = ended
						}
						ended, of, between = p["id"], nil, false
					case "file", "source-url", "source-document":
						between = ended != nil
					case "text-start":
						if between {
							of = p["id"]
							return nil
						}
					case "text-delta":
						if of != nil && p["id"] == of {
							p["id"] = ended
						}
					default:
						ended, between = nil, false
					}
					return []helixui.Part{p}
				}
			})},
	}
}
