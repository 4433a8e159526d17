package helixui

import (
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// resume lists the mutants of resume.
func resume() []Mutant {
	absent := func(p *helixui.Part) {
		if _, there := (*p)["messageMetadata"]; !there {
			(*p)["messageMetadata"] = map[string]any{}
		}
	}

	keeps := func(change func([]helixui.Message) []helixui.Message) on.Apply {
		return func(o helixui.Options) helixui.Options {
			inner := o.History
			o.History = func(all []helixui.Message) []helixui.Message { return change(inner(all)) }
			return o
		}
	}
	drop := func(role string) on.Apply {
		return keeps(func(all []helixui.Message) []helixui.Message {
			return slices.DeleteFunc(slices.Clone(all), func(m helixui.Message) bool { return m.Role == role })
		})
	}

	posts := func(r *http.Request) bool { return r.Method == http.MethodPost && !alter.IsControl(r) }
	status := func(from, to int) alter.Around {
		return alter.OnResponses(posts, func(w *alter.Response, _ *http.Request) {
			w.Head = func(status int) int {
				if status == from {
					return to
				}
				return status
			}
		})
	}

	return []Mutant{
		// Mutants that change an application's metadata of a message.
		{Name: "starts-without-metadata", Requirement: "helix-ui.metadata.start",
			Summary: "Only finish has the metadata that is configured.",
			Also:    []string{"helix-ui.metadata.computed"},
			Apply:   on.Parts(on.Type("start")).Edit(func(p *helixui.Part) { delete(*p, "messageMetadata") })},
		{Name: "finishes-without-metadata", Requirement: "helix-ui.metadata.finish",
			Summary: "Finish is sent by a helper that knows no metadata.",
			Apply:   on.Parts(on.Type("finish")).Edit(func(p *helixui.Part) { delete(*p, "messageMetadata") })},
		{Name: "metadata-of-the-first-chat", Requirement: "helix-ui.metadata.computed",
			Summary: "Metadata is computed once, when the server starts.",
			Apply: on.Parts(on.Type("start")).Edit(func(p *helixui.Part) {
				if m, is := (*p)["messageMetadata"].(map[string]any); is && m["agent"] != nil {
					m["agent"] = "chat-1"
				}
			})},
		{Name: "empty-metadata", Requirement: "helix-ui.metadata.absent",
			Summary: "Where nothing is configured, the metadata is an empty object.",
			Apply:   on.Parts(on.Type("start")).Edit(absent)},

		// These get ids and names wrong.
		{Name: "no-ids", Requirement: "helix-ui.resume.ids",
			Summary: "Events have no ids, as the AI SDK sends them.",
			Also:    []string{"helix-ui.resume.after", "helix-ui.resume.goes-on"},
			Apply:   on.Frames().Fields(func(b *alter.Block, _ helixui.Event) { b.ID = "" })},
		{Name: "ids-count-down", Requirement: "helix-ui.resume.ascending",
			Summary: "Ids are what is left of a budget.",
			Also:    []string{"helix-ui.resume.after"},
			Apply:   on.Frames(on.Event("finish")).Fields(func(b *alter.Block, _ helixui.Event) { b.ID = "1" })},
		{Name: "nameless-messages", Requirement: "helix-ui.resume.message-id",
			Summary: "The client is left to name the message.",
			Apply: alter.All(on.Parts(on.Type("start")).Edit(func(p *helixui.Part) { delete(*p, "messageId") }),
				on.Parts(on.Type("finish")).Edit(func(p *helixui.Part) { delete(*p, "messageId") }))},
		{Name: "finish-names-another-message", Requirement: "helix-ui.resume.same-message",
			Summary: "The database names the message anew when it is stored.",
			Apply:   on.Parts(on.Type("finish")).Edit(set("messageId", "stored-1"))},

		// Mutants that err in the parts for a reader with an id.
		{Name: "resumes-inclusively", Requirement: "helix-ui.resume.after",
			Summary: "The part with the reader's id comes again.",
			Also:    []string{"helix-ui.resume.goes-on"},
			Apply: from(func(_ []helixui.Event, _ int, hasCursor bool, first int) int {
				if hasCursor {
					return max(first-1, 0)
				}
				return first
			})},
		{Name: "leaving-cuts-the-answer", Requirement: "helix-ui.resume.goes-on", Stateful: true,
			Summary: "Whoever comes back finds what was kept when the reader left, and no more.",
			Also:    []string{"helix-ui.replay.default", "helix-ui.replay.once", "helix-ui.flow.finish"},
			Wrap:    cutsWhoComesBack},

		// Mutants that err in the parts for a refreshed page, or for a reader without an id of the stream.
		{Name: "replays-what-is-over", Requirement: "helix-ui.resume.nothing",
			Summary: "The latest answer is sent again though it is in the history.",
			Wrap:    alter.AnswersTo(readAgain).When(alter.Status(http.StatusNoContent)).As(http.StatusOK)},
		{Name: "unknown-chats-are-not-found", Requirement: "helix-ui.resume.unknown",
			Summary: "A chat that never was is not found, as that of any resource.",
			Wrap: alter.OnRequests(readAgain, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				(&known{inner: next, status: http.StatusNotFound}).ServeHTTP(w, r)
			})},
		{Name: "what-is-over-is-not-found", Requirement: "helix-ui.resume.nothing",
			Summary: "A chat without a stream is not found, and the client throws.",
			Also:    []string{"helix-ui.resume.unknown"},
			Wrap:    alter.AnswersTo(readAgain).When(alter.Status(http.StatusNoContent)).As(http.StatusNotFound)},
		{Name: "bad-cursors-begin-anew", Requirement: "helix-ui.resume.bad-cursor",
			Summary: "An id that can't be read is none.",
			Wrap: alter.OnRequests(readAgain, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				if id := r.Header.Get("Last-Event-ID"); strings.Trim(id, "0123456789") != "" {
					r.Header.Del("Last-Event-ID")
				}
				next.ServeHTTP(w, r)
			})},
		{Name: "pages-get-the-last-response", Requirement: "helix-ui.replay.once",
			Summary: "A page that is refreshed after the client's answers gets the parts that follow them, and no history has those before.",
			Apply: func(o helixui.Options) helixui.Options {
				o.ResponseAlone = true
				return o
			}},
		{Name: "refreshes-continue", Requirement: "helix-ui.replay.default",
			Summary: "A page that is refreshed gets only what comes from then on.",
			Also:    []string{"helix-ui.replay.once", "helix-ui.text.opened", "helix-ui.flow.start"},
			Apply: from(func(kept []helixui.Event, _ int, hasCursor bool, first int) int {
				if !hasCursor {
					return len(kept)
				}
				return first
			})},

		// Mutants that err in the stored messages of a chat.
		{Name: "forgets-answers", Requirement: "helix-ui.history.whole",
			Summary: "Only what the user says is kept.",
			Also:    []string{"helix-ui.history.failed"},
			Apply:   drop("assistant")},
		{Name: "forgets-failed-turns", Requirement: "helix-ui.history.failed", Stateful: true,
			Summary: "A message whose answer failed is rolled back with it.",
			Apply: keeps(func(all []helixui.Message) []helixui.Message {
				if n := len(all); n > 0 && !slices.ContainsFunc(all[n-1].Parts, func(p helixui.Part) bool { return p["state"] == "done" }) {
					return []helixui.Message{}
				}
				return all
			})},
		{Name: "forgets-metadata", Requirement: "helix-ui.history.metadata",
			Summary: "What the body says beside the messages isn't stored.",
			Apply: keeps(func(all []helixui.Message) []helixui.Message {
				out := slices.Clone(all)
				for i := range out {
					out[i].Metadata = nil
				}
				return out
			})},
		{Name: "history-holds-the-open-turn", Requirement: "helix-ui.replay.once", Stateful: true,
			Summary: "The history tells what the open turn has said so far, and its stream says it again.",
			Apply: func(o helixui.Options) helixui.Options {
				o.OpenInHistory = true
				return o
			}},

		// These get refusals wrong.
		{Name: "answers-nobody", Requirement: "helix-ui.requests.refused",
			Summary: "A request without a message is a failure of the server.",
			Wrap:    status(http.StatusBadRequest, http.StatusInternalServerError)},
		{Name: "no-credential-is-forbidden", Requirement: "helix-ui.requests.credential",
			Summary: "Who says nothing of himself is answered as one who mayn't.",
			Wrap:    status(http.StatusUnauthorized, http.StatusForbidden)},
	}
}

// from changes at which part a reader begins that comes back.
func from(change func(kept []helixui.Event, cursor int, hasCursor bool, first int) int) on.Apply {
	return func(o helixui.Options) helixui.Options {
		inner := o.Resumed
		o.Resumed = func(kept []helixui.Event, cursor int, hasCursor bool) int {
			return change(kept, cursor, hasCursor, inner(kept, cursor, hasCursor))
		}
		return o
	}
}

// readAgain matches requests of readers that come back.
func readAgain(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/stream") }

// known answers a chat that has nothing to read with 400 where it has no history.
type known struct {
	inner  http.Handler
	status int // of others
}

// ServeHTTP implements http.Handler.
func (k *known) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	history := r.Clone(r.Context())
	history.URL.Path = strings.TrimSuffix(r.URL.Path, "/stream") + "/messages"
	history.URL.RawPath = ""
	seen := &alter.Response{ResponseWriter: discard{http.Header{}}}
	status := 0
	seen.Head = func(s int) int {
		status = s
		return s
	}
	k.inner.ServeHTTP(seen, history)
	if status == http.StatusNotFound {
		w.WriteHeader(k.status)
		return
	}
	k.inner.ServeHTTP(w, r)
}

// discard is a ResponseWriter that forgets.
type discard struct{ header http.Header }

func (d discard) Header() http.Header { return d.header }

func (d discard) Write(p []byte) (int, error) { return len(p), nil }

func (d discard) WriteHeader(int) {}

// cutsWhoComesBack ends a response to a reader that comes back where it would have to wait.
func cutsWhoComesBack(next http.Handler) http.Handler {
	return alter.OnResponses(readAgain, func(w *alter.Response, _ *http.Request) {
		w.StreamOnly = true
		w.OnFlush = func(flush func() error) error {
			_ = flush() // it ends anyhow
			return http.ErrAbortHandler
		}
	})(next)
}
