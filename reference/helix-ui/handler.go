package helixui

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/request"
)

// Handler serves chats. Make it with New.
type Handler struct {
	o       Options            // with defaults; never changes
	closing context.Context    // done once Close was called, which ends all turns
	close   context.CancelFunc // of closing
	turns   sync.WaitGroup     // that run, with or without a reader

	mu    sync.Mutex       // guards all below
	chats map[string]*chat // by name; at most Options.Chats
	order []string         // of their beginning
}

// New makes a handler.
func New(o Options) *Handler {
	h := &Handler{o: o.WithDefaults(), chats: map[string]*chat{}}
	h.closing, h.close = context.WithCancel(context.Background())
	return h
}

// Close ends every turn and every response that is open.
func (h *Handler) Close() {
	h.close()
	h.turns.Wait()
}

// Serves reports whether a path is one of this protocol.
func Serves(escapedPath string) bool {
	return strings.HasPrefix(escapedPath, "/chat/") || strings.HasPrefix(escapedPath, "/control/chat/")
}

// ServeHTTP implements http.Handler. It routes by the escaped path; the name of a chat is decoded once.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, control := strings.CutPrefix(r.URL.EscapedPath(), "/control")
	parts := strings.Split(strings.TrimPrefix(path, "/chat/"), "/")
	name, err := url.PathUnescape(parts[0])
	rest := strings.Join(parts[1:], "/")
	if err != nil || name == "" {
		rest = "none"
	}
	err = refusal(http.StatusNotFound, "there is nothing at this path")
	user := h.o.user(r)
	switch call := r.Method + " " + rest; {
	case control && call == "POST release":
		err = h.release(w, r, name)
	case control:
	// helix-ui.requests.credential: the credential is checked before anything else.
	case user == unknownUser:
		w.Header().Set("WWW-Authenticate", "Bearer")
		err = refusal(http.StatusUnauthorized, "a bearer token is needed")
	case call == "POST ":
		err = h.respond(w, r, name, user)
	case call == "GET stream":
		err = h.resume(w, r, name, user)
	case call == "GET messages":
		err = h.messages(w, r, name, user)
	}
	if err != nil {
		refuse(w, err)
	}
}

// refuse answers with an error.
// helix-ui.security.no-secret-echo: it quotes nothing of the request.
func refuse(w http.ResponseWriter, err error) {
	status, message := http.StatusBadRequest, "the body could not be read"
	var known *request.Error
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &known):
		status, message = known.Status, known.Message
	case errors.As(err, &large):
		status, message = http.StatusRequestEntityTooLarge, "the body is too large"
	}
	answer(w, status, map[string]any{"error": message})
}

func answer(w http.ResponseWriter, status int, document any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(encode(document)) // who has left needs no answer
}

// chat finds a chat, nil if there is none.
// helix-ui.security.isolation: a chat is found by its complete name.
func (h *Handler) chat(name string) *chat {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.chats[name]
}

// chatOf finds a chat of a user, nil if there is none.
// helix-ui.security.owner: another user gets no chat.
func (h *Handler) chatOf(user int, name string) *chat {
	c := h.chat(name)
	if c == nil || c.owner != user && !h.o.Shared {
		return nil
	}
	return c
}

// open finds a chat, or creates it for a user.
func (h *Handler) open(user int, name string) *chat {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.chats[name]
	if c != nil {
		return c
	}
	c = &chat{owner: user}
	h.chats[name] = c
	h.order = append(h.order, name)
	if len(h.order) > h.o.Chats {
		delete(h.chats, h.order[0])
		h.order = h.order[1:]
	}
	return c
}

// respond takes a message and streams the answer.
func (h *Handler) respond(w http.ResponseWriter, r *http.Request, name string, user int) error {
	body, err := request.Body(w, r, h.o.MaxBody, h.o.Timeout)
	if err != nil {
		return err
	}
	a, err := decodeRequest(body, name)
	if err != nil {
		return err
	}
	if a.scripted && !h.o.trusted(r) {
		return refusal(http.StatusForbidden, "a script needs the token of control calls")
	}
	if h.o.NeverWaits && slices.ContainsFunc(a.script, Instruction.waits) {
		return refusal(http.StatusNotImplemented, "no call waits for the client here")
	}
	c := h.open(user, name)
	if c.owner != user {
		return refusal(http.StatusNotFound, "there is no such chat")
	}
	var t *turn
	if a.answered != nil {
		t, err = h.proceed(c, *a.answered)
	} else {
		t, err = h.begin(c, Turn{
			Chat: name, StartMetadata: a.startMetadata, FinishMetadata: a.finishMetadata, User: a.user, Script: a.script,
		})
	}
	if err != nil {
		return err
	}
	h.stream(w, r, t, nil, 0)
	return nil
}

// begin starts a turn, unless one is live.
func (h *Handler) begin(c *chat, start Turn) (*turn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.latest != nil {
		if _, over, _ := c.latest.now(); !over {
			return nil, refusal(http.StatusConflict, "another answer of this chat is being streamed")
		}
		c.messages = append(c.messages, c.latest.answer())
	}
	// helix-ui.history.failed: the message is kept before anything can fail.
	c.messages = append(c.messages, start.User[len(start.User)-1])
	start.MessageID = "message-" + strconv.Itoa(len(c.messages)+1) // its place in the history
	t, ctx := h.newTurn(start)
	c.latest = t
	h.start(ctx, c, t)
	return t, nil
}

// proceed begins the turn that answers of the client continue.
func (h *Handler) proceed(c *chat, answered Message) (*turn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.latest
	if before == nil {
		return nil, invalid("no call waits for an answer")
	}
	kept, over, _ := before.now()
	switch {
	case !over:
		return nil, refusal(http.StatusConflict, "another answer of this chat is being streamed")
	case len(before.waiting) == 0:
		return nil, invalid("no call waits for an answer")
	case slices.ContainsFunc(before.waiting, func(call Call) bool { return !call.takes(answered.call(call.id)) }):
		return nil, invalid("a call that waits isn't answered")
	}
	next := before.Turn
	// helix-ui.waiting.message: the message stays the same.
	next.Script, next.Continues = append([]Instruction{}, before.later...), true
	t, ctx := h.newTurn(next)
	t.calls, t.message = before.calls, before.message
	// helix-ui.replay.once: the response doesn't repeat what the client brought, so a page has it from here.
	var brought []Part
	for _, call := range before.waiting {
		part := answered.call(call.id)
		t.message.answer(part)
		t.answers = append(t.answers, reply{call, part})
		if call.Client {
			brought = append(brought, part.brought())
		}
	}
	t.answered = kept[len(kept)-1].ID
	kept = slices.DeleteFunc(slices.Clone(kept), func(e Event) bool { return e.Part.Type() == "finish" })
	if len(before.before) > 0 { // both have a start
		begun := slices.IndexFunc(kept, func(e Event) bool { return e.Part.Type() == "start" })
		kept = append(slices.Clone(before.before), kept[begun+1:]...)
	}
	for _, p := range brought {
		kept = append(kept, Event{kept[len(kept)-1].ID, p})
	}
	t.before = kept
	before.waiting, c.latest = nil, t
	h.start(ctx, c, t)
	return t, nil
}

// newTurn makes a turn that ends at the latest when its context does.
func (h *Handler) newTurn(t Turn) (*turn, context.Context) {
	ctx, stop := context.WithTimeout(h.closing, h.o.Timeout)
	return newTurn(t, stop), ctx
}

// start runs a turn.
func (h *Handler) start(ctx context.Context, c *chat, t *turn) {
	h.turns.Go(func() {
		defer t.stop()
		h.run(ctx, c, t)
	})
}

// run produces the parts of a turn, independent of its readers.
func (h *Handler) run(ctx context.Context, c *chat, t *turn) {
	mapper := &Mapper{Turn: t.Turn, Names: h.o.Names}
	chunks, parts := h.o.Chunks(t.Turn), h.o.Parts(t.Turn)
	keep := func(all []Part) {
		for _, p := range all {
			t.keep(c.next, parts(p)...)
		}
	}
	a := &agent{turn: t, reason: "stop", calls: t.calls}
	a.chunk = func(said Chunk) {
		for _, said := range chunks(said) {
			keep(mapper.Map(said))
		}
	}
	// A part of the application closes open parts, and is inside a step if it is content of one.
	a.part = func(p Part) { keep(append(mapper.around(p), p)) }
	keep(mapper.Begin())
	var err error
	switch {
	case t.Continues:
		// helix-ui.waiting.continues: the calls return, and the agent goes on.
		a.outcomes()
		err = a.play(ctx, t.Script)
	case t.Script == nil && h.o.Model != nil:
		err = a.answer(ctx, h.o.Model)
	case t.Script == nil:
		text := "I do what a script says, and there is none."
		err = a.play(ctx, []Instruction{{Text: &text}})
	default:
		err = a.play(ctx, h.o.Play(t.Script))
	}
	if err != nil && !errors.Is(err, errFailed) {
		a.say(Chunk{"type": "error", "error": "the answer took too long, or the server closes", "recoverable": false})
	}
	keep(mapper.End(a.reason))
	t.end()
}

// messages answers with the history of a chat.
func (h *Handler) messages(w http.ResponseWriter, r *http.Request, name string, user int) error {
	c := h.chatOf(user, name)
	if c == nil {
		return refusal(http.StatusNotFound, "there is no such chat")
	}
	all := h.o.History(c.history(h.o.OpenInHistory))
	document := map[string]any{"messages": all}
	if h.o.Page > 0 {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset")) // what is no number is the beginning
		from := min(max(offset, 0), len(all))
		to := min(from+h.o.Page, len(all))
		document = map[string]any{"messages": all[from:to], "total": len(all), "offset": from, "limit": h.o.Page, "hasMore": to < len(all)}
	}
	answer(w, http.StatusOK, document)
	return nil
}

// release opens a barrier of a script.
func (h *Handler) release(w http.ResponseWriter, r *http.Request, name string) error {
	if !h.o.trusted(r) {
		return refusal(http.StatusForbidden, "control calls need their token")
	}
	if err := request.Local(r, h.o.KnownHost, h.o.ControlToken != ""); err != nil {
		return err
	}
	body, err := request.Body(w, r, h.o.MaxBody, h.o.Timeout)
	if err != nil {
		return err
	}
	var in struct{ Barrier string }
	if json.Unmarshal(body, &in) != nil || in.Barrier == "" {
		return invalid("a release needs a /barrier")
	}
	c := h.chat(name)
	if c == nil || c.turn() == nil {
		return refusal(http.StatusNotFound, "there is no such chat")
	}
	c.turn().release(in.Barrier)
	w.WriteHeader(http.StatusNoContent)
	return nil
}
