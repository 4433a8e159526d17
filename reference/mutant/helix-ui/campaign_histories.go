package helixui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// rareHistories lists the mutants that the third refresh, the fourth reader or a later turn of a chat shows.
func rareHistories() []Mutant {
	resumed := func(change func(kept []helixui.Event, cursor, first int) int) on.Apply {
		return from(func(kept []helixui.Event, cursor int, hasCursor bool, first int) int {
			if hasCursor {
				return change(kept, cursor, first)
			}
			return first
		})
	}

	replayed := func(change func(kept []helixui.Event, first int) int) on.Apply {
		return from(func(kept []helixui.Event, _ int, hasCursor bool, first int) int {
			if hasCursor {
				return first
			}
			return change(kept, first)
		})
	}
	begun := []string{"helix-ui.flow.start", "helix-ui.steps.opened", "helix-ui.text.opened"}

	return []Mutant{
		// These err with the metadata of a turn because of one before.
		{Name: "metadata-of-the-first-turn", Requirement: "helix-ui.metadata.finish", Stateful: true,
			Summary: "The metadata of a finish is that of the first turn of its chat.",
			Apply: func(o helixui.Options) helixui.Options {
				var first sync.Map
				return on.Parts(on.Type("finish")).EditIn(func(t helixui.Turn, p *helixui.Part) {
					if v, there := (*p)["messageMetadata"]; there {
						(*p)["messageMetadata"], _ = first.LoadOrStore(t.Chat, v)
					}
				})(o)
			}},

		// Mutants that err in the history of earlier turns.
		{Name: "second-failure-is-forgotten", Requirement: "helix-ui.history.failed", Stateful: true,
			Summary: "Where two turns in a row fail, the message of the first is replaced by that of the second.",
			Apply: func(o helixui.Options) helixui.Options {
				o.History = func(all []helixui.Message) []helixui.Message {
					said := func(m helixui.Message) bool {
						for _, p := range m.Parts {
							if p["state"] == "done" {
								return true
							}
						}
						return false
					}
					for i := len(all) - 4; i >= 0; i-- {
						if all[i].Role == "user" && !said(all[i+1]) && !said(all[i+3]) {
							all = append(all[:i:i], all[i+2:]...)
						}
					}
					return all
				}
				return o
			}},

		// These err for some of those that come back with an id.
		{Name: "the-same-id-three-times", Requirement: "helix-ui.resume.after", Stateful: true, Also: []string{"helix-ui.resume.goes-on"},
			Summary: "A third reader in a row with the same id is taken for a loop, and is told that there is nothing.",
			Wrap: func(next http.Handler) http.Handler {
				came := &inARow{}
				return returning(true, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
					if came.next(r.URL.Path, r.Header.Get("Last-Event-ID")) >= 3 {
						w.WriteHeader(http.StatusNoContent)
						return
					}
					next.ServeHTTP(w, r)
				})(next)
			}},
		{Name: "a-hundred-parts-behind", Requirement: "helix-ui.resume.goes-on", Stateful: true, Also: []string{"helix-ui.resume.after"},
			Summary: "Who comes back while more than 100 parts wait gets the latest 100.",
			Apply: resumed(func(kept []helixui.Event, _, first int) int {
				if len(kept)-first > 100 && kept[len(kept)-1].Part.Type() != "finish" {
					return len(kept) - 100
				}
				return first
			})},

		// These err for some pages that are refreshed.
		{Name: "ten-refreshes", Requirement: "helix-ui.replay.once", Stateful: true,
			Summary: "From the tenth refresh of a turn on a page gets what comes, and not what was said.",
			Also:    begun,
			Apply: func(o helixui.Options) helixui.Options {
				came := &counts{}
				return replayed(func(kept []helixui.Event, first int) int {
					if len(kept) > 0 && came.next(fmt.Sprintf("%p", kept[0].Part)) >= 10 {
						return len(kept)
					}
					return first
				})(o)
			}},

		// Mutants that err in the parts for a refreshed page.
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

		// These err where the names of two chats resemble each other, and with a reader of the turn before.
		{Name: "chat-names-of-a-form", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The name of a chat is decoded as a form is, in which a plus sign is a space.",
			Wrap:    underName(func(chat string) string { return strings.ReplaceAll(chat, "+", " ") })},
		{Name: "chat-names-of-255-bytes", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The column for the name of a chat has 255 bytes.",
			Wrap:    underName(func(chat string) string { return truncated(chat, 255) })},
		{Name: "chat-names-are-trimmed", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "White space at an end of the name of a chat is cut off.",
			Wrap:    underName(strings.TrimSpace)},
		{Name: "refused-messages-are-kept", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "A message is kept before the server finds out that another one is being answered.",
			Wrap:    keepsRefused},

		// Mutants that use the configuration, or the id of a message, of another chat.
		{Name: "metadata-of-another-chat", Requirement: "helix-ui.metadata.computed", Stateful: true,
			Summary: "Metadata that is a function of the agent's id is computed once for all chats.",
			Apply: func(o helixui.Options) helixui.Options {
				var computed sync.Map
				return on.Parts(on.Type("finish")).Edit(func(p *helixui.Part) {
					metadata, _ := (*p)["messageMetadata"].(map[string]any)
					if metadata["agent"] == nil {
						return
					}
					rest := maps.Clone(metadata)
					delete(rest, "agent")
					(*p)["messageMetadata"], _ = computed.LoadOrStore(string(written(rest)), metadata)
				})(o)
			}},
		{Name: "messages-of-an-id-are-sent-again", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The name of a chat ends at a dot, and a message whose id is known takes the place of that and of what followed.",
			Wrap:    underName(func(chat string) string { name, _, _ := strings.Cut(chat, "."); return name }),
			Apply: onHistory(func(all []helixui.Message) []helixui.Message {
				var out []helixui.Message
				for _, m := range all {
					if i := slices.IndexFunc(out, func(o helixui.Message) bool { return o.Role == "user" && o.ID == m.ID }); i >= 0 {
						out = out[:i]
					}
					out = append(out, m)
				}
				return out
			})},

		// Mutants that err where an answer is compressed or read slowly, and where it contains parts of the
		// application.
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
	}
}

// counts counts by key.
type counts struct {
	mu sync.Mutex
	of map[string]int
}

func (c *counts) next(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = map[string]int{}
	}
	c.of[key]++
	return c.of[key]
}

// inARow counts consecutive equal values by key.
type inARow struct {
	mu   sync.Mutex
	last map[string]string
	of   map[string]int
}

func (c *inARow) next(key, said string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.last, c.of = map[string]string{}, map[string]int{}
	}
	if c.last[key] != said {
		c.last[key], c.of[key] = said, 0
	}
	c.of[key]++
	return c.of[key]
}

// returning changes the requests of readers that come back with an id, or of pages that are refreshed.
func returning(withID bool, change func(next http.Handler, w http.ResponseWriter, r *http.Request)) alter.Around {
	return alter.OnRequests(func(r *http.Request) bool {
		return readAgain(r) && (r.Header.Get("Last-Event-ID") != "") == withID
	}, change)
}

// refreshed changes the bytes that are written to refreshed pages.
func refreshed(begin func() func(written []byte) []byte) alter.Around {
	return alter.OnResponses(func(r *http.Request) bool { return readAgain(r) && r.Header.Get("Last-Event-ID") == "" }, func(w *alter.Response, _ *http.Request) {
		w.StreamOnly, w.Body = true, begin()
	})
}

var (
	messageMetadata = regexp.MustCompile(`,"messageMetadata":.*,"type":"start"}`)
)

// underName changes the name of a chat in every request.
func underName(change func(chat string) string) alter.Around {
	return alter.OnRequests(alter.Any, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		before, after, _ := strings.Cut(r.URL.Path, "/chat/")
		name, rest, more := strings.Cut(after, "/")
		if more {
			rest = "/" + rest
		}
		other := r.Clone(r.Context())
		other.URL.Path, other.URL.RawPath = before+"/chat/"+change(name)+rest, ""
		next.ServeHTTP(w, other)
	})
}

// keepsRefused shows messages in the history that were refused because another one was being answered.
func keepsRefused(next http.Handler) http.Handler {
	var refused counts
	chat := func(r *http.Request) string { return strings.TrimSuffix(r.URL.Path, "/messages") }
	watched := alter.OnResponses(func(r *http.Request) bool { return r.Method == http.MethodPost }, func(w *alter.Response, r *http.Request) {
		w.Head = func(status int) int {
			if status == http.StatusConflict {
				refused.next(chat(r))
			}
			return status
		}
	})
	telling := alter.BeforeAnswer(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/messages") }, func(_ http.Handler, r *http.Request, _ []byte, answer *httptest.ResponseRecorder) {
		var document struct {
			Messages []any `json:"messages"`
		}
		if refused.seen(chat(r)) == 0 || json.Unmarshal(answer.Body.Bytes(), &document) != nil {
			return
		}
		text := helixui.Part{"type": "text", "text": "Meanwhile"}
		document.Messages = append(document.Messages, helixui.Message{ID: "user-meanwhile", Role: "user", Parts: []helixui.Part{text}})
		alter.Instead(answer, answer.Code, string(written(document)))
	})
	return watched(telling(next))
}
