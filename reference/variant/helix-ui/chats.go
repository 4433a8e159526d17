package helixui

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// chats lists the variants of chats.
func chats() []Variant {
	work := on.Type("data-state", "data-run", "data-error", "data-resync")

	posts := func(r *http.Request) bool { return r.Method == http.MethodPost && !alter.IsControl(r) }

	return []Variant{
		// These vary data parts that no source names, sub-agents and open calls.
		{Name: "parts-of-other-names", Freedom: "helix-ui.mapping.chunks", Names: renamed,
			Summary: "The data parts have names of the server's choice, and the configuration gives them.",
			Apply:   withNames(renamed)},
		{Name: "only-the-answer", Freedom: "helix-ui.mapping.chunks", Names: unsent,
			Summary: "The description of the agent's work isn't sent, and the configuration declares that.",
			Apply:   withNames(unsent)},
		{Name: "keeps-the-parts-of-the-work", Freedom: "helix-ui.mapping.transient", Warns: []string{"helix-ui.mapping.transient"},
			Summary: "Patches and errors stay in the message, for later readers.",
			Apply:   on.Parts(work).Edit(func(p *helixui.Part) { delete(*p, "transient") })},
		{Name: "sub-agents-speak", Freedom: "helix-ui.mapping.agents", Without: []string{"agents"},
			Summary: "What sub-agents say is text of the message, and the configuration leaves out the capability.",
			Apply:   on.Chunks(on.ChunkType("text_delta")).Edit(func(c *helixui.Chunk) { delete(*c, "agentId") })},
		{Name: "approvals-after-their-start", Freedom: "helix-ui.mapping.approval-first", Warns: []string{"helix-ui.mapping.approval-first"},
			Summary: "A request for approval waits for the tool_start of its call.",
			Apply:   on.Chunks().Map(approvalsWait)},
		{Name: "fails-calls-that-nothing-ends", Freedom: "helix-ui.tools.closed", Without: []string{"clientTools"},
			Summary: "A call of which nothing came when the run is over has failed: no call is the client's.",
			Apply:   on.Parts().Map(failsOpenCalls)},

		// These vary histories, refusals and the owners of chats.
		{Name: "pages-of-the-history", Freedom: "helix-ui.history.whole", Page: 2,
			Summary: "The history comes in pages of two messages, as configured.",
			Apply: func(o helixui.Options) helixui.Options {
				o.Page = 2
				return o
			}},
		{Name: "questions-when-they-are-answered", Freedom: "helix-ui.history.whole",
			Summary: "The message of the user is in the history when its turn is over.",
			Apply: historyOf(func(all []helixui.Message) []helixui.Message {
				if n := len(all); n > 0 && all[n-1].Role == "user" {
					return all[:n-1]
				}
				return all
			})},
		{Name: "answers-stored-under-other-ids", Freedom: "helix-ui.history.ids", Warns: []string{"helix-ui.history.ids"},
			Summary: "The database names answers when they are over.",
			Apply: historyOf(func(all []helixui.Message) []helixui.Message {
				for i := range all {
					if all[i].Role == "assistant" {
						all[i].ID = "stored-" + all[i].ID
					}
				}
				return all
			})},
		{Name: "failed-turns-are-rolled-back", Freedom: "helix-ui.history.failed", Without: []string{"failures"},
			Summary: "A message whose run failed is dropped with its answer, and the configuration leaves out the capability.",
			Apply:   rolledBack()},
		{Name: "bodies-with-an-id", Freedom: "helix-ui.requests.refused",
			Summary: "A body that doesn't name its chat is refused.",
			Wrap:    alter.OnRequests(posts, wantsID)},
		{Name: "messages-wait", Freedom: "helix-ui.requests.refused",
			Summary: "A message waits until the turn before is over.",
			Wrap:    alter.OnRequests(posts, waits)},
		{Name: "forbids-chats-of-others", Freedom: "helix-ui.security.owner",
			Summary: "A chat that isn't the user's is forbidden, whether there is one or not.",
			Wrap: alter.AnswersTo(func(r *http.Request) bool { return r.Method == http.MethodGet }).
				When(alter.Status(http.StatusNotFound)).As(http.StatusForbidden)},
	}
}

// renamed gives the data parts that no source names other types.
var renamed = map[string]string{
	"data-subagent": "data-child", "data-state": "data-patch", "data-output": "data-result", "data-run": "data-helix-run",
	"data-error": "data-warning", "data-resync": "data-reload",
}

// unsent are the same types of a server that sends none of them.
var unsent = map[string]string{
	"data-subagent": "none", "data-state": "none", "data-output": "none", "data-run": "none", "data-error": "none", "data-resync": "none",
}

// withNames gives data parts other types.
func withNames(names map[string]string) func(helixui.Options) helixui.Options {
	return func(o helixui.Options) helixui.Options {
		o.Names = names
		return o
	}
}

// approvalsWait delays requests for approval until their call starts.
func approvalsWait(helixui.Turn) func(helixui.Chunk) []helixui.Chunk {
	started, waiting := map[any]bool{}, map[any]helixui.Chunk{}
	return func(c helixui.Chunk) []helixui.Chunk {
		id := c["toolCallId"]
		switch request := waiting[id]; {
		case c["type"] == "tool_start":
			started[id] = true
			if request != nil {
				delete(waiting, id)
				return []helixui.Chunk{c, request}
			}
		case c["type"] == "tool_approval_request" && !started[id]:
			waiting[id] = c
			return nil
		}
		return []helixui.Chunk{c}
	}
}

// failsOpenCalls ends calls before finish. One that waits for an approval stays open.
func failsOpenCalls(helixui.Turn) func(helixui.Part) []helixui.Part {
	var open []any
	asked := false
	return func(p helixui.Part) []helixui.Part {
		switch id := p["toolCallId"]; p.Type() {
		case "tool-input-available":
			open = append(open, id)
		case "tool-approval-request":
			asked = true
		case "tool-output-available", "tool-output-error", "tool-output-denied":
			open = slices.DeleteFunc(open, func(one any) bool { return one == id })
		case "finish":
			if asked || len(open) == 0 {
				break
			}
			var out []helixui.Part
			for _, id := range open {
				out = append(out, helixui.Part{"type": "tool-output-error", "toolCallId": id, "errorText": "the call never ended"})
			}
			p["finishReason"] = "stop"
			return append(out, p)
		}
		return []helixui.Part{p}
	}
}

// historyOf changes copies of the messages of a history.
func historyOf(change func([]helixui.Message) []helixui.Message) func(helixui.Options) helixui.Options {
	return func(o helixui.Options) helixui.Options {
		inner := o.History
		o.History = func(all []helixui.Message) []helixui.Message { return change(slices.Clone(inner(all))) }
		return o
	}
}

// rolledBack removes turns from the history for which an error was sent.
func rolledBack() func(helixui.Options) helixui.Options {
	return alter.All(
		on.Parts(on.Type("error")).To(func(_ helixui.Turn, p helixui.Part) []helixui.Part {
			return []helixui.Part{{"type": "message-metadata", "messageMetadata": map[string]any{"failed": true}}, p}
		}),
		historyOf(func(all []helixui.Message) []helixui.Message {
			out := []helixui.Message{}
			for _, m := range all {
				if metadata, is := m.Metadata.(map[string]any); is && m.Role == "assistant" && metadata["failed"] == true {
					out = out[:len(out)-1]
					continue
				}
				out = append(out, m)
			}
			return out
		}))
}

// wantsID refuses a body without an id.
func wantsID(next http.Handler, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 16<<20))
	var in struct{ ID *string }
	if err == nil && json.Unmarshal(body, &in) == nil && in.ID == nil {
		http.Error(w, "the body has no id", http.StatusBadRequest)
		return
	}
	alter.SetBody(r, body)
	next.ServeHTTP(w, r)
}

// waits repeats a request that is refused because of a live turn.
func waits(next http.Handler, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 32<<20))
	if err != nil {
		http.Error(w, "the body could not be read", http.StatusBadRequest)
		return
	}
	for {
		again := r.Clone(r.Context())
		alter.SetBody(again, bytes.Clone(body))
		refused := &unlessBusy{ResponseWriter: w}
		next.ServeHTTP(refused, again)
		if !refused.busy || alter.Pause(r.Context(), 5*time.Millisecond) != nil {
			return
		}
	}
}

// unlessBusy drops an answer with status 409, and passes on every other.
type unlessBusy struct {
	http.ResponseWriter
	busy bool
}

// WriteHeader implements http.ResponseWriter.
func (u *unlessBusy) WriteHeader(status int) {
	if u.busy = status == http.StatusConflict; !u.busy {
		u.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (u *unlessBusy) Write(p []byte) (int, error) {
	if u.busy {
		return len(p), nil
	}
	return u.ResponseWriter.Write(p)
}

// Unwrap lets a ResponseController reach the connection.
func (u *unlessBusy) Unwrap() http.ResponseWriter { return u.ResponseWriter }
