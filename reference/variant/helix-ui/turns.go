package helixui

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// turns use freedoms between the turns of a chat, and of their storage.
func turns() []Variant {
	return []Variant{
		idsOfTurns(), readersOfTurns(),
		{Name: "plain-names-only", Freedom: "helix-ui.requests.refused",
			Summary: "A chat whose name isn't plain is refused.",
			Wrap:    alter.OnRequests(alter.Any, asciiNames)},
		{Name: "compresses-answers", Freedom: "helix-ui.text.live",
			Summary: "Who accepts gzip gets it, flushed after each part.",
			Wrap:    alter.Compressed(true)},
		{Name: "user-texts-as-one", Freedom: "helix-ui.history.whole",
			Summary: "What the user says in several texts is kept as one.",
			Apply:   joinedTexts},
		{Name: "dynamic-calls-in-the-history", Freedom: "helix-ui.history.calls",
			Summary: "The history tells calls as those of tools that are known at run time alone.",
			Apply:   dynamicCalls},
		{Name: "a-pause-ends-the-response", Freedom: "helix-ui.mapping.chunks",
			Summary: "A response is over where the run pauses. What the run says when it is resumed is of another response.",
			Apply:   on.Chunks().Map(untilPaused)},
		{Name: "a-text-in-two-parts", Freedom: "helix-ui.text.whole", Without: []string{"mapping"},
			Summary: "What the model says next to the first piece of a text is a text of its own.",
			Apply:   on.Parts(on.Type("text-start", "text-delta", "text-end")).Map(halves)},
	}
}

// untilPaused drops the chunks after a pause.
func untilPaused(helixui.Turn) func(helixui.Chunk) []helixui.Chunk {
	paused := false
	return func(c helixui.Chunk) []helixui.Chunk {
		if paused {
			return nil
		}
		paused = c["type"] == "run_paused"
		return []helixui.Chunk{c}
	}
}

// joinedTexts makes one text of those of a message of the user.
func joinedTexts(o helixui.Options) helixui.Options {
	inner := o.History
	o.History = func(all []helixui.Message) []helixui.Message {
		all = slices.Clone(inner(all))
		for i, m := range all {
			if m.Role != "user" {
				continue
			}
			joined := ""
			for _, p := range m.Parts {
				joined += p.Text("text")
			}
			all[i].Parts = []helixui.Part{{"type": "text", "text": joined}}
		}
		return all
	}
	return o
}

// dynamicCalls gives the calls in the history the type of dynamic tools.
func dynamicCalls(o helixui.Options) helixui.Options {
	inner := o.History
	o.History = func(all []helixui.Message) []helixui.Message {
		all = slices.Clone(inner(all))
		for i := range all {
			all[i].Parts = slices.Clone(all[i].Parts)
			for k, p := range all[i].Parts {
				if tool, static := strings.CutPrefix(p.Type(), "tool-"); static {
					p = maps.Clone(p)
					p["type"], p["toolName"] = "dynamic-tool", tool
					all[i].Parts[k] = p
				}
			}
		}
		return all
	}
	return o
}

// halves ends a text after its first piece, and continues in another.
func halves(helixui.Turn) func(helixui.Part) []helixui.Part {
	pieces, id := 0, ""
	return func(p helixui.Part) []helixui.Part {
		switch p.Type() {
		case "text-start":
			pieces, id = 0, p.Text("id")
		case "text-delta":
			if pieces++; pieces == 2 {
				end := helixui.Part{"type": "text-end", "id": id}
				id += "-rest"
				return []helixui.Part{end, {"type": "text-start", "id": id}, {"type": "text-delta", "id": id, "delta": p["delta"]}}
			}
		}
		p["id"] = id
		return []helixui.Part{p}
	}
}

// turnStarts stores, for each chat, the id before the first of its latest turn.
type turnStarts struct{ of sync.Map }

// chatOf returns the chat of a request, and the part of the path after it.
func chatOf(r *http.Request) (chat, remaining string) {
	chat, remaining, _ = strings.Cut(strings.TrimPrefix(r.URL.Path, "/chat/"), "/")
	return chat, remaining
}

// notes makes encoders that note where a turn begins.
func (b *turnStarts) notes(o helixui.Options) helixui.Options {
	inner := o.Encoder
	o.Encoder = func(t helixui.Turn) helixui.Encoder {
		encode := inner(t)
		return alter.Encoder[helixui.Event](func(dst []byte, e helixui.Event) []byte {
			if !e.IsDone() && e.Part.Type() == "start" && e.ID > b.before(t.Chat) { // a page may get the start of an earlier response again
				b.of.Store(t.Chat, e.ID-1)
			}
			return encode.Append(dst, e)
		})
	}
	return o
}

// before returns the id before the first of the latest turn of a chat.
func (b *turnStarts) before(chat string) int {
	n, _ := b.of.Load(chat)
	id, _ := n.(int)
	return id
}

// cursors changes the requests of readers that come with an id.
func cursors(change func(next http.Handler, w http.ResponseWriter, r *http.Request, chat string, id int)) alter.Around {
	return alter.OnRequests(alter.Any, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		chat, rest := chatOf(r)
		id, err := strconv.Atoi(r.Header.Get("Last-Event-ID"))
		if rest != "stream" || err != nil {
			next.ServeHTTP(w, r)
			return
		}
		change(next, w, r, chat, id)
	})
}

// idsOfTurns counts the parts of each turn from 1.
func idsOfTurns() Variant {
	b := &turnStarts{}
	return Variant{Name: "ids-of-turns", Freedom: "helix-ui.resume.ascending",
		Summary: "The ids of each turn begin with 1.",
		Apply: alter.All(on.Frames().BytesIn(func(t helixui.Turn) func([]byte, helixui.Event) []byte {
			return func(whole []byte, e helixui.Event) []byte {
				if e.IsDone() {
					return whole
				}
				block := alter.ParseBlock(whole)
				block.ID = strconv.Itoa(e.ID - b.before(t.Chat))
				return block.Append(nil)
			}
		}), b.notes),
		Wrap: cursors(func(next http.Handler, w http.ResponseWriter, r *http.Request, chat string, id int) {
			r = r.Clone(r.Context())
			r.Header.Set("Last-Event-ID", strconv.Itoa(id+b.before(chat)))
			next.ServeHTTP(w, r)
		})}
}

// readersOfTurns sends nothing to readers with an id of the turn before.
func readersOfTurns() Variant {
	b := &turnStarts{}
	return Variant{Name: "nothing-for-readers-of-the-turn-before", Freedom: "helix-ui.resume.nothing",
		Summary: "Who comes back with an id of an earlier turn is told that there is nothing to read of that.",
		Apply:   b.notes,
		Wrap: cursors(func(next http.Handler, w http.ResponseWriter, r *http.Request, chat string, id int) {
			if id > 0 && id <= b.before(chat) {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			next.ServeHTTP(w, r)
		})}
}

var asciiName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// asciiNames refuses chats of other names.
func asciiNames(next http.Handler, w http.ResponseWriter, r *http.Request) {
	if chat, _ := chatOf(r); !asciiName.MatchString(chat) && !alter.IsControl(r) {
		http.Error(w, "a chat has a plain name", http.StatusBadRequest)
		return
	}
	next.ServeHTTP(w, r)
}
