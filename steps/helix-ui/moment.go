package helixui

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

func momentSteps(v *steps.Sentences[*world]) {
	steps.Step0(v, features.Given, `^the page is refreshed whenever the agent waits$`, func(w *world) error { return w.atMoments(w.refreshes) })
	steps.Step0(v, features.Given, `^a reader comes back with each id so far whenever the agent waits$`, func(w *world) error { return w.atMoments(w.comesBackWithEach) })
	steps.Step0(v, features.When, `^the response is over$`, func(w *world) error {
		_, err := answered(w)
		return err
	})
	steps.Step0(v, features.Then, `^each page shows the answer once, from the history or the stream$`, (*world).pagesShow)
	steps.Step0(v, features.Then, `^each of these readers gets the rest, once$`, (*world).readersGetRemainingParts)
}

// moment is a barrier of a script, with the content that readers have received by then. It doesn't include content that a
// server may hide: after reasoning, or a piece of an input, the moment is taken as it comes. In the middle of reasoning the
// reader waits for it, if the server claims to show reasoning.
type moment struct {
	barrier   string // its name
	text      string // concatenation of all texts
	reasoning string // concatenated reasoning; "" outside of it
	outputs   int    // number of calls with an output
}

// moments returns the moments of a script.
func moments(script []json.RawMessage) ([]moment, error) {
	var all []moment
	now, thoughts := moment{}, ""
	for _, raw := range script {
		var act struct {
			Text, Await string
			Thinking    any
			Tool        any
			Part        struct{ Type string }
		}
		if err := json.Unmarshal(raw, &act); err != nil {
			return nil, steps.Faultf("an act of the script: %v", err)
		}
		now.text += act.Text
		switch thinking := act.Thinking.(type) {
		case string:
			thoughts += thinking
		case []any:
			for _, piece := range thinking {
				if words, is := piece.(string); is {
					thoughts += words
				} else if wait, is := piece.(map[string]any); is {
					inside := now
					inside.barrier, _ = wait["await"].(string)
					inside.reasoning = thoughts
					all = append(all, inside)
				}
			}
		}
		switch {
		case act.Tool != nil, strings.HasPrefix(act.Part.Type, "tool-output-"):
			now.outputs++
		case act.Await != "":
			now.barrier = act.Await
			all = append(all, now)
		}
	}
	return all, nil
}

// atMoments makes readers attach at each moment of the latest request, and releases the barrier after it.
func (w *world) atMoments(come func(*turn) error) error {
	t, err := w.requestedTurn()
	if err == nil {
		err = t.canScript()
	}
	if err != nil {
		return err
	}
	all, err := moments(t.script)
	if err != nil {
		return err
	}
	for _, m := range all {
		if err := t.where(t.reach(m)); err != nil {
			return err
		}
		if err := come(t); err != nil {
			return err
		}
		if err := release(w, m.barrier); err != nil {
			return err
		}
	}
	return nil
}

// reach reads until a moment, and no part after the one that shows it. Reasoning that doesn't come is hidden.
func (t *turn) reach(m moment) error {
	for !t.shows(m) {
		p, err := t.next(fmt.Sprintf("what the agent does before it waits for %q", m.barrier))
		if errors.As(err, new(*target.TimeoutError)) {
			return t.withheld(m, err)
		}
		if err != nil {
			return err
		}
		if p == nil {
			return t.failure(fmt.Sprintf("what the agent does before it waits for %q", m.barrier), "the end of the response", nil)
		}
	}
	return nil
}

// withheld returns the failure of a moment that doesn't come in time. Missing reasoning is hidden, which is no failure.
func (t *turn) withheld(m moment, late error) error {
	if t.shows(moment{text: m.text, outputs: m.outputs}) {
		t.w.NoteAlternative()
		return nil
	}
	return t.textWithheld(late, m.text)
}

// shows reports whether all content before a moment was read.
func (t *turn) shows(m moment) bool {
	outputs := 0
	for _, p := range t.parts {
		if strings.HasPrefix(p.kind, "tool-output-") && p.value["preliminary"] != true {
			outputs++
		}
	}
	return len(t.parts) > 0 && outputs >= m.outputs && len(t.joined("text")) >= len(m.text) && len(t.joined("reasoning")) >= len(m.reasoning)
}

// refreshes loads the page: its history first, and then the stream.
func (w *world) refreshes(*turn) error {
	if err := w.requestHistory(); err != nil {
		return err
	}
	return w.returns("", nil)
}

// comesBackWithEach resumes after each id that was read so far.
func (w *world) comesBackWithEach(t *turn) error {
	return t.behindEach(w, func(id string, _ []*part) error { return w.returns(id, &id) })
}

// returns makes a reader come back, and records what it has: an id, or the history that its page loaded.
func (w *world) returns(id string, cursor *string) error {
	if err := w.comeBack(cursor); err != nil {
		return err
	}
	r := returned{turn: w.turns[len(w.turns)-1], id: id}
	if cursor == nil {
		r.history = w.history
	}
	w.returned = append(w.returned, r)
	return nil
}

// readersGetRemainingParts compares each reader's parts with the response to the request.
func (w *world) readersGetRemainingParts() error {
	t, err := answered(w)
	if err != nil {
		return err
	}
	for _, r := range w.returned {
		behind := 0
		for i, p := range t.parts {
			if p.id == r.id {
				behind = i + 1
			}
		}
		if err := r.turn.where(r.turn.equalsRemaining(r.id, t.parts[behind:])); err != nil {
			return err
		}
	}
	return nil
}

// pagesShow compares each page's history and stream with the response to the request.
func (w *world) pagesShow() error {
	t, err := answered(w)
	if err != nil {
		return err
	}
	var want model.Account
	for _, p := range modelled(t.parts) {
		want.Take(p)
	}
	for _, r := range w.returned {
		w.history = r.history
		all, err := w.messages()
		if err != nil {
			return err
		}
		if err := r.turn.readToEnd(); err != nil {
			return r.turn.where(err)
		}
		var got model.Account
		for _, m := range all {
			if m.role == "assistant" {
				got.TakeMessage(m.value)
			}
		}
		for _, p := range modelled(r.turn.parts) {
			got.Take(p)
		}
		if difference := want.Differs(&got); difference != nil {
			return r.turn.where(r.turn.failure(difference[0], difference[1], nil))
		}
		w.Saw(1)
	}
	return nil
}

func returnings() []steps.Fixture {
	history := "this history is played\na turn of chat 1\n4 texts of plain data of 9 bytes"
	scene := setup(scripted(`[{"text": "One. "}, {"await": "a"}, ` + weather + `, {"await": "b"}, {"text": "Two."}]`))
	return []steps.Fixture{
		{Then: "nothing was received that the spec rules out", Setup: []string{history}, Mutant: "loses-a-delta", Message: "a text is another than the model's"},
		{Then: "each page shows the answer once, from the history or the stream",
			Setup: append(slices.Clone(scene), "the page is refreshed whenever the agent waits"), Mutant: "refreshed-between-steps", Message: "One. Two."},
		{Then: "each of these readers gets the rest, once",
			Setup: append(slices.Clone(scene), "a reader comes back with each id so far whenever the agent waits"), Mutant: "forgets-the-end-of-a-step", Message: "behind id"},
	}
}
