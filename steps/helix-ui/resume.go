package helixui

import (
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/features"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
	"github.com/streamcert/streamcert/steps"
)

func resumeSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step0(v, k, `^the page is refreshed$`, func(w *world) error { return w.comeBack(nil) })
		steps.Step0(v, k, `^the reader comes back with the latest id$`, comeBackLatest)
		steps.Step0(v, k, `^the reader leaves$`, onTurn(func(t *turn) error {
			t.reader.Disconnect()
			return nil
		}))
	})
	steps.Step1(v, features.When, `^a reader comes back with the id `+steps.JSONString+`$`, func(w *world, quoted string) error {
		id, err := unquoted(quoted)
		if err != nil {
			return err
		}
		return w.comeBack(&id)
	})
	steps.Step0(v, features.When, `^the page of a chat that never was is loaded$`, func(w *world) error {
		w.chat = w.Session().Coin("stream")
		return w.comeBack(nil)
	})
	steps.Step0(v, features.Then, `^the parts of the response have ids$`, (*world).identified)
	steps.Step0(v, features.Then, `^each of the parts data-one, data-two and data-three has an id of its own, or a part after it has$`,
		func(w *world) error { return separateIDs(w, "data-one", "data-two", "data-three") })
	steps.Step0(v, features.Then, `^the start of the response names the message$`, (*world).named)
	steps.Step0(v, features.Then, `^a reader that comes back with any id of the response gets the rest, once$`, (*world).sweep)
	steps.Step1(v, features.Then, `^the reader gets the rest of the text, `+steps.JSONString+`$`, onTurn1(containsRemainingText))
	steps.Step0(v, features.Then, `^there is nothing to read$`, onTurn(nothing))
	steps.Step1(v, features.Then, `^what the page shows of the answer is `+steps.JSONString+`, from the history or the stream$`, pageShows)
}

// comeBack reads the answer again after an id, nil for none.
func (w *world) comeBack(cursor *string) error {
	reader, err := client.Resume(w.Session(), w.chat, cursor, w.Step())
	if err != nil {
		return steps.Faultf("making a request: %v", err)
	}
	t := &turn{w: w.World, reader: reader}
	if asked, err := w.requestedTurn(); err == nil {
		t.script, t.scripted, t.waits = asked.script, asked.scripted, asked.waits
	}
	w.turns = append(w.turns, t)
	return isThere(w, t)
}

// isThere reports a missing route of answers as unprovable. If the route returned an answer before, these statuses concern the chat.
func isThere(w *world, t *turn) error {
	v, err := t.reader.Head()
	w.rereads = w.rereads || err == nil && v.Status == 200
	if err == nil && !w.rereads && slices.Contains([]int{404, 405, 501}, v.Status) {
		return &steps.Unprovable{Reason: fmt.Sprintf("an answer can't be read again: the route answered %d", v.Status)}
	}
	return nil // the scenario checks other answers
}

// latestID returns the id of the last part that was read and had one.
func (t *turn) latestID() string {
	for _, p := range slices.Backward(t.parts) {
		if p.id != "" {
			return p.id
		}
	}
	return ""
}

// asksAgain reads the response to the latest request to its end, and checks whether it can be read again: requirements on
// resumed readers apply only then.
func (w *world) asksAgain() (*turn, error) {
	t, err := answered(w)
	if err != nil {
		return nil, err
	}
	return t, w.comeBack(nil)
}

// identified checks that the response has ids, of a server whose answers can be read again.
func (w *world) identified() error {
	t, err := w.asksAgain()
	if err != nil {
		return err
	}
	if t.latestID() == "" {
		return t.where(t.failure("an id for each part", "none", nil))
	}
	w.Saw(1)
	return nil
}

// named checks that the start names its message, likewise.
func (w *world) named() error {
	t, err := w.asksAgain()
	if err != nil {
		return err
	}
	if p := t.find("start"); p == nil || p.text("messageId") == "" {
		return t.where(t.failure("start with a messageId", shown(folded(t.parts)), p))
	}
	w.Saw(1)
	return nil
}

// comeBackLatest resumes after the last part that was read.
func comeBackLatest(w *world) error {
	t, err := w.requestedTurn()
	if err != nil {
		return err
	}
	id := t.latestID()
	if id == "" {
		if err := w.comeBack(nil); err != nil {
			return err
		}
		return t.where(t.failure("a part with an id", "none", nil))
	}
	again := t.unidentified()
	if err := w.comeBack(&id); err != nil {
		return err
	}
	w.turns[len(w.turns)-1].again = again
	return nil
}

// unidentified returns the text of the text-deltas after the latest id. Only the last part of a chunk needs an id, so a
// resume repeats them.
func (t *turn) unidentified() string {
	said := ""
	for _, p := range slices.Backward(t.parts) {
		if p.id != "" {
			break
		}
		if p.kind == "text-delta" {
			said = p.text("delta") + said
		}
	}
	return said
}

// containsRemainingText compares the text that a reader got that came back.
func containsRemainingText(t *turn, quoted string) error {
	want, err := unquoted(quoted)
	if err != nil {
		return err
	}
	return containsText(t, string(steps.Encode(t.again+want)))
}

// nothing waits for the answer that there is nothing to read.
func nothing(t *turn) error {
	v, err := t.reader.Head()
	if err != nil {
		return err
	}
	if v.Status != 204 {
		return t.failure("204", recorded(t.reader.Exchange), nil)
	}
	t.w.Saw(1)
	return nil
}

// sweep reads the answer again after each of its ids, and compares the parts with the first read.
func (w *world) sweep() error {
	t, err := answered(w)
	if err != nil {
		return err
	}
	return t.behindEach(w, func(id string, rest []*part) error {
		if err := w.comeBack(&id); err != nil {
			return err
		}
		back, _ := w.latest()
		return back.where(back.equalsRemaining(id, rest))
	})
}

// behindEach calls do for each id of an answer, with the parts after it. An answer without ids is a failure.
func (t *turn) behindEach(w *world, do func(id string, rest []*part) error) error {
	if t.latestID() == "" {
		if err := w.comeBack(nil); err != nil { // who has no such route has nothing to resume
			return err
		}
		return t.where(t.failure("parts with ids", "none", nil))
	}
	for i, p := range t.parts {
		last := i+1 == len(t.parts) || t.parts[i+1].id != p.id
		if p.id == "" || !last {
			continue
		}
		if err := do(p.id, t.parts[i+1:]); err != nil {
			return err
		}
	}
	return nil
}

// equalsRemaining compares a response with the parts after an id.
func (t *turn) equalsRemaining(id string, rest []*part) error {
	if len(rest) == 0 {
		return nothing(t)
	}
	if err := t.readToEnd(); err != nil {
		return err
	}
	want, got := folded(rest), folded(t.parts)
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			return t.failure(fmt.Sprintf("behind id %s: %s", id, steps.Encode(want[i])), "the end of the response", nil)
		case i >= len(want):
			return t.failure(fmt.Sprintf("behind id %s: the end of the response", id), string(steps.Encode(got[i])), nil)
		case !steps.Same(want[i], got[i]):
			return t.failure(fmt.Sprintf("behind id %s: %s", id, steps.Encode(want[i])), string(steps.Encode(got[i])), nil)
		}
	}
	t.w.Saw(1)
	return nil
}

// pageShows joins the history's answer with the later parts of its stream.
func pageShows(w *world, quoted string) error {
	want, err := unquoted(quoted)
	if err != nil {
		return err
	}
	all, err := w.messages()
	if err != nil {
		return err
	}
	shown := ""
	for _, m := range all {
		if m.role == "assistant" {
			shown = m.text()
		}
	}
	t, err := w.latest()
	if err != nil {
		return err
	}
	if err := t.readToEnd(); err != nil {
		return t.where(err)
	}
	if shown += t.joined("text"); shown != want {
		return t.where(t.failure("the text "+quoted, steps.Clip(steps.Encode(shown)), nil))
	}
	w.Saw(1)
	return nil
}

func resumings() []steps.Fixture {
	live := setup(scripted(`[{"text": "One. "}, {"await": "b"}, {"text": "Two."}]`), `the response has the text "One. " so far`)
	over := setup(scripted(`[{"text": "One. Two. Three."}]`), "the response has been read")
	return []steps.Fixture{
		{Then: "the parts of the response have ids", Setup: over, Mutant: "no-ids", Message: "an id for each part"},
		{Then: "the start of the response names the message", Setup: over, Mutant: "nameless-messages", Message: "start with a messageId"},
		{Then: "a reader that comes back with any id of the response gets the rest, once", Setup: over, Mutant: "resumes-inclusively", Message: "behind id"},
		{Then: `the reader gets the rest of the text, "Two."`, Setup: append(slices.Clone(live), "the reader comes back with the latest id", `the agent passes "b"`),
			Mutant: "resumes-inclusively", Message: "Two."},
		{Then: "there is nothing to read", Setup: append(slices.Clone(over), "the page is refreshed"), Mutant: "replays-what-is-over", Message: "want 204"},
		{Then: `what the page shows of the answer is "One. Two.", from the history or the stream`,
			Setup:  append(slices.Clone(live), "the history is asked for", "the page is refreshed", `the agent passes "b"`),
			Mutant: "history-holds-the-open-turn", Message: "One. One."},
	}
}

// separateIDs checks that a reader can resume after each data part: it has an id, or a part between it and the next data part
// has, and no two have the same one.
func separateIDs(w *world, names ...string) error {
	t, err := w.asksAgain()
	if err != nil {
		return err
	}
	at, last, seen := -1, "", map[string]string{} // index of the current name, its latest id, names by id
	end := func() error {
		if at < 0 {
			return nil
		}
		if last == "" {
			return t.where(t.failure("an id of "+names[at]+", or of a part after it", "none", t.find(names[at])))
		}
		if other := seen[last]; other != "" {
			return t.where(t.failure("another id than that of "+other, fmt.Sprintf("the id %s of %s", last, names[at]), t.find(names[at])))
		}
		seen[last] = names[at]
		w.Saw(1)
		return nil
	}
	for _, p := range t.parts {
		if at+1 < len(names) && p.kind == names[at+1] {
			if err := end(); err != nil {
				return err
			}
			at, last = at+1, ""
		}
		if p.id != "" {
			last = p.id
		}
	}
	return end()
}
