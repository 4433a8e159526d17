package helixui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

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

// rareMetadata err with the metadata of a turn because of one before.
func rareMetadata() []Mutant {
	return []Mutant{
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
		{Name: "metadata-sticks", Requirement: "helix-ui.metadata.absent", Stateful: true,
			Summary: "A turn without metadata begins with that of the turn before.",
			Apply: func(o helixui.Options) helixui.Options {
				var latest sync.Map
				return on.Parts(on.Type("start")).EditIn(func(t helixui.Turn, p *helixui.Part) {
					if v, there := (*p)["messageMetadata"]; there {
						latest.Store(t.Chat, v)
					} else if v, there := latest.Load(t.Chat); there {
						(*p)["messageMetadata"] = v
					}
				})(o)
			}},
	}
}

// turns err from the second turn of a chat on, or because of a turn before.
func turns() []Mutant {
	return []Mutant{
		{Name: "failure-sticks", Requirement: "helix-ui.flow.finish", Stateful: true,
			Summary: "A turn behind one that failed ends without finish, as that did.",
			Apply: func(o helixui.Options) helixui.Options {
				var failed sync.Map
				return on.Parts(on.Type("error", "finish")).To(func(t helixui.Turn, p helixui.Part) []helixui.Part {
					if p.Type() == "error" {
						failed.Store(t.Chat, true)
					} else if _, before := failed.LoadAndDelete(t.Chat); before {
						return nil
					}
					return []helixui.Part{p}
				})(o)
			}},
		{Name: "a-refusal-ends-the-answer", Requirement: "helix-ui.text.live", Stateful: true,
			Summary: "A body that is refused while an answer is streamed holds back the rest of that until it is over.",
			Also:    []string{"helix-ui.requests.refused"},
			Wrap:    refusalDelays},
		{Name: "requests-end-with-their-value", Requirement: "helix-ui.requests.refused",
			Summary: "A decoder reads one value from a body, and whatever follows stays unread.",
			Wrap:    firstValue},
	}
}

// histories lists mutants that err in the history of earlier turns.
func histories() []Mutant {
	return []Mutant{
		{Name: "history-of-four-messages", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The history tells the latest four messages of a chat.",
			Apply: func(o helixui.Options) helixui.Options {
				o.History = func(all []helixui.Message) []helixui.Message { return all[max(0, len(all)-4):] }
				return o
			}},
		{Name: "old-thoughts-have-no-type", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The history tells thoughts of all turns but the latest two as parts without a type.",
			Apply: func(o helixui.Options) helixui.Options {
				o.History = func(all []helixui.Message) []helixui.Message {
					for i := range all[:max(0, len(all)-4)] {
						all[i].Parts = slices.Clone(all[i].Parts)
						for k, p := range all[i].Parts {
							if p.Type() == "reasoning" {
								all[i].Parts[k] = maps.Clone(p)
								delete(all[i].Parts[k], "type")
							}
						}
					}
					return all
				}
				return o
			}},
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
	}
}

// refusalDelays delays the output of a chat's streams, once a body for it was refused, until they end.
func refusalDelays(next http.Handler) http.Handler {
	var refused sync.Map
	posts := func(r *http.Request) bool { return r.Method == http.MethodPost && !alter.IsControl(r) }
	watched := alter.OnResponses(posts, func(w *alter.Response, r *http.Request) {
		w.Head = func(status int) int {
			if status == http.StatusBadRequest {
				refused.Store(r.URL.Path, true)
			}
			return status
		}
		var held []byte
		w.Body = func(b []byte) []byte {
			held = append(held, b...)
			if _, was := refused.Load(r.URL.Path); was && !strings.Contains(string(held), "[DONE]") && strings.Contains(w.Header().Get("Content-Type"), "event-stream") {
				return nil
			}
			out := held
			held = nil
			return out
		}
	})
	return watched(next)
}

// firstValue passes on the first JSON value of a body and drops the remaining bytes.
func firstValue(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && !alter.IsControl(r) {
			body, err := io.ReadAll(r.Body)
			var first json.RawMessage
			if err == nil && json.NewDecoder(bytes.NewReader(body)).Decode(&first) == nil {
				body = first
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}
		next.ServeHTTP(w, r)
	})
}

// readers err for some of those that come back with an id.
func readers() []Mutant {
	resumed := func(change func(kept []helixui.Event, cursor, first int) int) on.Apply {
		return from(func(kept []helixui.Event, cursor int, hasCursor bool, first int) int {
			if hasCursor {
				return change(kept, cursor, first)
			}
			return first
		})
	}
	return []Mutant{
		{Name: "ids-of-two-digits", Requirement: "helix-ui.resume.after", Stateful: true,
			Summary: "An id of three digits is compared by the first two.",
			Also:    []string{"helix-ui.resume.goes-on"},
			Apply: resumed(func(kept []helixui.Event, cursor, first int) int {
				for cursor > 99 {
					cursor /= 10
				}
				for first = 0; first < len(kept) && kept[first].ID <= cursor; first++ {
				}
				return first
			})},
		{Name: "ids-begin-with-a-turn", Requirement: "helix-ui.resume.after", Stateful: true,
			Summary: "The id of a reader is counted from the beginning of the chat and looked for from that of the turn, where there were two before.",
			Also:    []string{"helix-ui.resume.goes-on"},
			Apply: resumed(func(kept []helixui.Event, cursor, first int) int {
				if len(kept) > 0 && kept[0].ID > 60 {
					return min(cursor-1, len(kept))
				}
				return first
			})},
		{Name: "the-same-id-three-times", Requirement: "helix-ui.resume.after", Stateful: true,
			Summary: "A third reader in a row with the same id is taken for a loop, and is told that there is nothing.",
			Also:    []string{"helix-ui.resume.goes-on"},
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
		{Name: "a-hundred-parts-behind", Requirement: "helix-ui.resume.goes-on", Stateful: true,
			Summary: "Who comes back while more than 100 parts wait gets the latest 100.",
			Also:    []string{"helix-ui.resume.after"},
			Apply: resumed(func(kept []helixui.Event, _, first int) int {
				if len(kept)-first > 100 && kept[len(kept)-1].Part.Type() != "finish" {
					return len(kept) - 100
				}
				return first
			})},
	}
}

// pages err for some pages that are refreshed.
func pages() []Mutant {
	refreshed := func(change func(kept []helixui.Event, first int) int) on.Apply {
		return from(func(kept []helixui.Event, _ int, hasCursor bool, first int) int {
			if hasCursor {
				return first
			}
			return change(kept, first)
		})
	}
	begun := []string{"helix-ui.flow.start", "helix-ui.steps.opened", "helix-ui.text.opened"}
	return []Mutant{
		{Name: "replays-of-64-parts", Requirement: "helix-ui.replay.once", Stateful: true,
			Summary: "A page that is refreshed gets the latest 64 parts of a turn.",
			Also:    begun,
			Apply:   refreshed(func(kept []helixui.Event, first int) int { return max(first, len(kept)-64) })},
		{Name: "ten-refreshes", Requirement: "helix-ui.replay.once", Stateful: true,
			Summary: "From the tenth refresh of a turn on a page gets what comes, and not what was said.",
			Also:    begun,
			Apply: func(o helixui.Options) helixui.Options {
				came := &counts{}
				return refreshed(func(kept []helixui.Event, first int) int {
					if len(kept) > 0 && came.next(fmt.Sprintf("%p", kept[0].Part)) >= 10 {
						return len(kept)
					}
					return first
				})(o)
			}},
		{Name: "replays-custom-parts-twice", Requirement: "helix-ui.replay.once", Stateful: true,
			Summary: "The history tells the custom parts of the open turn, and a replay brings them again.",
			Apply: retelling(func(parts []helixui.Part) []helixui.Part {
				return slices.DeleteFunc(slices.Clone(parts), func(p helixui.Part) bool { return !strings.HasPrefix(p.Type(), "data-") })
			})},
		{Name: "a-second-turn-replays-the-first", Requirement: "helix-ui.replay.once", Stateful: true,
			Summary: "From the third turn of a chat on the history tells what the open turn has said too.",
			Apply: func(o helixui.Options) helixui.Options {
				o.OpenInHistory = true
				inner := o.History
				o.History = func(all []helixui.Message) []helixui.Message {
					if n := len(all); n > 0 && n < 5 && strings.HasSuffix(all[n-1].ID, "-partial") {
						all = all[:n-1]
					}
					return inner(all)
				}
				return o
			}},
	}
}
