package helixui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
	"github.com/streamcert/streamcert/steps"
)

func historySteps(v *steps.Sentences[*world]) {
	steps.Step0(v, features.Given, `^the response has been read$`, onTurn((*turn).readToEnd))
	steps.Both(func(k features.Keyword) { steps.Step0(v, k, `^the history is asked for$`, (*world).requestHistory) })
	steps.Step1(v, features.Then, `^the history says (.+)$`, func(w *world, list string) error { return historyContains(w, list, false) })
	steps.Step1(v, features.Then, `^the history begins with (.+)$`, func(w *world, list string) error { return historyContains(w, list, true) })
	steps.Step0(v, features.Then, `^the history has the calls of the response$`, historyCalls)
	steps.Step0(v, features.Then, `^the history has the files, the sources and the data of the response$`, historyParts)
	steps.Step0(v, features.Then, `^the history has the answer under the messageId of its start$`, historyNames)
	steps.Step1(v, features.Then, `^the message of the user has the metadata (.+)$`, userDescribed)
}

// requestHistory requests the messages of the chat.
func (w *world) requestHistory() error {
	history, err := client.History(w.Session(), target.DocumentRequest{Stream: w.chat, Heading: w.Step()})
	if err != nil {
		return err
	}
	if status := history.Now().Status; slices.Contains([]int{404, 405, 501}, status) && !otherChatHasHistory(w) {
		return &steps.Unprovable{Reason: fmt.Sprintf("the history is not there: its route answered %d, also for a chat of one short answer", status)}
	}
	w.history = history
	return nil
}

// otherChatHasHistory reports whether the server has a history of another chat with one short answer. If it does, the route exists,
// and an error status concerns the chat.
func otherChatHasHistory(w *world) bool {
	other := &world{World: w.World}
	if err := other.request(`[{"text": "Hello."}]`, client.Request{}); err != nil || other.turns[0].readToEnd() != nil {
		return false
	}
	history, err := client.History(w.Session(), target.DocumentRequest{Stream: other.chat, Heading: w.Step()})
	return err == nil && history.Now().Status == 200
}

// message is a message of the history.
type message struct {
	role  string         // "" if it has none
	value map[string]any // its members; nil if it is no object
}

// text returns the message's text without the marker of a script.
func (m message) text() string {
	said, _, _ := strings.Cut(model.TextOf(m.value), "⟦")
	return said
}

// messages reads the latest answer about the history.
func (w *world) messages() ([]message, error) {
	if w.history.Exchange == nil {
		return nil, steps.Faultf("nobody asked for the history")
	}
	v := w.history.Now()
	value, err := steps.Decode(w.history.Document)
	document, _ := value.(map[string]any)
	list, isList := document["messages"].([]any)
	if v.Status != 200 || err != nil || !isList {
		return nil, w.historyFailure("200 and an object with messages", fmt.Sprintf("%d %s", v.Status, steps.Clip(v.Answer)))
	}
	if found := misshapen(w, w.history.Document); found != "" {
		return nil, w.historyFailure("messages with an id, a role and parts", found)
	}
	var out []message
	for _, item := range list {
		m := message{}
		m.value, _ = item.(map[string]any)
		m.role, _ = m.value["role"].(string)
		out = append(out, m)
	}
	return out, nil
}

// misshapen returns the first finding of the schema of histories; "" for none.
func misshapen(w *world, history []byte) string {
	set := w.Env().Schemas
	if set == nil {
		return ""
	}
	if found := set.Document("messages", 0, history).Findings; len(found) > 0 {
		return found[0].Message
	}
	return ""
}

// historyFailure returns a failure of the latest answer about the messages.
func (w *world) historyFailure(want, got string) error {
	return &steps.Failure{Finding: record.Finding{Message: "the history", Want: want, Got: got, Frame: -1}, Exchange: w.history.Exchange}
}

// historyContains compares the messages, as pairs of a role and a text. With only the beginning, more may follow.
func historyContains(w *world, list string, beginning bool) error {
	want, err := steps.Decode([]byte(list))
	if err != nil {
		return steps.Faultf("%s is not JSON", list)
	}
	_, all, err := w.recalled()
	if err != nil {
		return err
	}
	wanted, _ := want.([]any)
	got := []any{}
	for _, m := range all {
		if beginning && len(got) == len(wanted) {
			break
		}
		got = append(got, []any{m.role, m.text()})
	}
	if !steps.Same(want, got) {
		return w.historyFailure(list, steps.Clip(steps.Encode(got)))
	}
	w.Saw(1)
	return nil
}

// historyCalls compares the calls that the answers of the history tell with those that the latest response brought.
func historyCalls(w *world) error {
	t, all, err := w.recalled()
	if err != nil {
		return err
	}
	var streamed, told model.Account
	for _, p := range modelled(t.parts) {
		streamed.Take(p)
	}
	for _, m := range all {
		told.TakeMessage(m.value)
	}
	if lost := streamed.Lost(&told); lost != nil {
		return w.historyFailure(lost[0], lost[1])
	}
	w.Saw(streamed.Calls())
	return nil
}

// historyParts searches the history's answers for the parts of the latest response other than texts and calls.
func historyParts(w *world) error {
	t, all, err := w.recalled()
	if err != nil {
		return err
	}
	var told []map[string]any
	for _, m := range all {
		told = append(told, model.PartsOf(m.value)...)
	}
	for _, want := range lasting(t.parts) {
		if !slices.ContainsFunc(told, func(p map[string]any) bool { return fits(want, p) }) {
			return w.historyFailure("the part "+steps.Clip(steps.Encode(want)), steps.Clip(steps.Encode(told)))
		}
		w.Saw(1)
	}
	return nil
}

// lasting returns the files, the sources and the data of a response, of data with an id the latest, without the id of their
// message.
func lasting(parts []*part) (out []map[string]any) {
	for _, p := range parts {
		datum := strings.HasPrefix(p.kind, "data-")
		if !datum && p.kind != "file" && !strings.HasPrefix(p.kind, "source-") || p.value["transient"] == true {
			continue
		}
		if datum && p.value["id"] != nil {
			out = slices.DeleteFunc(out, func(q map[string]any) bool { return q["type"] == p.kind && q["id"] == p.value["id"] })
		}
		value := maps.Clone(p.value)
		delete(value, "messageId")
		out = append(out, value)
	}
	return out
}

// recalled returns the latest request and the history, unless the agent takes no script.
func (w *world) recalled() (*turn, []message, error) {
	t, err := w.requestedTurn()
	if err != nil {
		return nil, nil, err
	}
	if err := t.canScript(); err != nil {
		return nil, nil, err
	}
	all, err := w.messages()
	return t, all, err
}

// historyNames checks that the history has an answer with the messageId of the latest response.
func historyNames(w *world) error {
	t, all, err := w.recalled()
	if err != nil {
		return err
	}
	start := t.find("start")
	if start == nil || start.text("messageId") == "" {
		return t.where(t.failure("start with a messageId", shown(folded(t.parts)), start))
	}
	var ids []string
	for _, m := range all {
		if m.role == "assistant" {
			id, _ := m.value["id"].(string)
			ids = append(ids, id)
		}
	}
	if !slices.Contains(ids, start.text("messageId")) {
		return w.historyFailure("an answer with the messageId "+start.text("messageId"), fmt.Sprintf("%q", ids))
	}
	w.Saw(1)
	return nil
}

// userDescribed compares the metadata of the only message of the user.
func userDescribed(w *world, metadata string) error {
	want, err := steps.Decode([]byte(metadata))
	if err != nil {
		return steps.Faultf("%s is not JSON", metadata)
	}
	all, err := w.messages()
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.role != "user" {
			continue
		}
		if !steps.Same(want, m.value["metadata"]) {
			return w.historyFailure("the metadata "+metadata, steps.Clip(steps.Encode(m.value)))
		}
		w.Saw(1)
		return nil
	}
	return w.historyFailure("a message of the user", "none")
}

// recorded describes an exchange for a failure.
func recorded(e *target.Exchange) string {
	v := e.Now()
	return fmt.Sprintf("%d %s", v.Status, steps.Clip(v.Answer))
}

func memories() []steps.Fixture {
	read := func(ask string) []string { return setup(ask, "the response has been read", "the history is asked for") }
	return []steps.Fixture{
		{Then: `the history says [["user", "Plan the trip"], ["assistant", "Hello there."]]`, Setup: read(scripted(`[{"text": "Hello there."}]`)),
			Mutant: "forgets-answers", Message: `[["user","Plan the trip"]]`},
		{Then: `the history begins with [["user", "Plan the trip"]]`, Setup: read(scripted(`[{"fail": "no model"}]`)), Mutant: "forgets-failed-turns", Message: "got []"},
		{Then: "the history has the calls of the response",
			Setup:  read(scripted(`[{"tool": {"name": "f", "arguments": {"a": 1}, "result": 2}}]`)),
			Mutant: "history-without-outcomes", Message: `want the call {"input":{"a":1},"output":2,"tool":"f"}`},
		{Then: "the history has the files, the sources and the data of the response",
			Setup:  read(scripted(`[{"part": {"type": "file", "url": "data:text/plain,hi", "mediaType": "text/plain"}}]`)),
			Mutant: "history-without-files", Message: `want the part {"mediaType":"text/plain"`},
		{Then: `the message of the user has the metadata {"source": "web"}`,
			Setup:  read("a request with the metadata {\"source\": \"web\"}, and this script:\n" + `[{"text": "Hello."}]`),
			Mutant: "forgets-metadata", Message: "the metadata"},
	}
}
