package helixui

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
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

// chats err where the names of two chats resemble each other, and with a reader of the turn before.
func chats() []Mutant {
	return []Mutant{
		{Name: "chat-names-of-a-form", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The name of a chat is decoded as a form is, in which a plus sign is a space.",
			Wrap:    underName(func(chat string) string { return strings.ReplaceAll(chat, "+", " ") })},
		{Name: "chat-names-of-255-bytes", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The column for the name of a chat has 255 bytes.",
			Wrap:    underName(func(chat string) string { return truncated(chat, 255) })},
		{Name: "chat-names-are-trimmed", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "White space at an end of the name of a chat is cut off.",
			Wrap:    underName(strings.TrimSpace)},
		{Name: "ids-of-the-turn-before-are-offsets", Requirement: "helix-ui.resume.after", Stateful: true,
			Summary: "An id that isn't one of the turn is taken for a number of its parts.",
			Apply: from(func(kept []helixui.Event, cursor int, hasCursor bool, first int) int {
				if hasCursor && len(kept) > 0 && cursor < kept[0].ID {
					return min(cursor, len(kept))
				}
				return first
			})},
		{Name: "refused-messages-are-kept", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "A message is kept before the server finds out that another one is being answered.",
			Wrap:    keepsRefused},
	}
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
