package snapshot

import (
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/run"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func snapshotMessageSteps(v *steps.Sentences[*world.World]) {
	steps.Step1(v, features.Then, `^the complete messages of the snapshot say `+steps.JSONString+`$`, completeTextIs)
	steps.Step1(v, features.Then, `^no message of the snapshot says `+steps.JSONString+`$`, noneContains)
	steps.Step1(v, features.Then, `^the last message of the snapshot is partial and says `+steps.JSONString+`$`, partialTextIs)
	steps.Step1(v, features.Then, `^a partial message of the snapshot contains `+steps.JSONString+` where that is its default form$`, defaultForm)
	steps.Step1(v, features.Then, `^the last message of the snapshot has a part with (\{.*\})$`, partialHas)
	steps.Step1(v, features.Then, `^the text of the snapshot and of what follows it is `+steps.JSONString+`$`, world.OnStream1(textGoesOn))
}

// agentMessage is a message of the agent in a snapshot. Messages of users and systems don't come from the stream.
type agentMessage struct {
	id    string // a partial message's ends in -partial
	text  string // concatenated texts of parts
	parts []any  // as encoding/json decodes them
}

func (m agentMessage) partial() bool { return strings.HasSuffix(m.id, "-partial") }

// agentMessages returns the agent's messages in a snapshot. A member messages that isn't an array is a failure.
func (t *snapshot) agentMessages() ([]agentMessage, error) {
	list, ok := t.members["messages"].([]any)
	if !ok && t.members["messages"] != nil {
		return nil, t.failure("messages", "an array", steps.Clip(steps.Encode(t.members["messages"])))
	}
	var out []agentMessage
	for _, m := range list {
		if role, ok := steps.MemberOf(m, "role").(string); ok && role != "assistant" {
			continue
		}
		var r agentMessage
		r.id, _ = steps.MemberOf(m, "id").(string)
		r.parts, _ = steps.MemberOf(m, "parts").([]any)
		for _, part := range r.parts {
			if steps.MemberOf(part, "type") == "text" {
				emitted, _ := steps.MemberOf(part, "text").(string)
				r.text += emitted
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// shown returns the last snapshot, its agent's messages, and the string that a step names.
func shown(w *world.World, text string) (*snapshot, []agentMessage, string, error) {
	t, err := lastSnapshot(w)
	if err != nil {
		return nil, nil, "", err
	}
	v, err := steps.Decode([]byte(text))
	want, ok := v.(string)
	if err != nil || !ok {
		return nil, nil, "", steps.Faultf("%s is no JSON string", text)
	}
	all, err := t.agentMessages()
	return t, all, want, err
}

func (t *snapshot) shows() string { return steps.Clip(steps.Encode(t.members["messages"])) }

// completeTextIs compares the joined text of all messages that aren't partial. A server may split a conversation into
// messages as it likes.
func completeTextIs(w *world.World, text string) error {
	t, all, want, err := shown(w, text)
	if err != nil {
		return err
	}
	got := ""
	for _, m := range all {
		if !m.partial() {
			got += m.text
		}
	}
	if got != want {
		return t.failure("the text of the complete messages", text, t.shows())
	}
	w.Saw(1)
	return nil
}

// noneContains checks that no message is partial or contains a text.
func noneContains(w *world.World, text string) error {
	t, all, unwanted, err := shown(w, text)
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.partial() || strings.Contains(m.text, unwanted) {
			return t.failure("the messages", "none that is partial or says "+text, t.shows())
		}
	}
	s, err := w.Stream("")
	if err != nil {
		return err
	}
	c, _, err := complete(s)
	if err != nil {
		return err
	}
	if strings.Contains(run.TextOf(c.Got), unwanted) { // the agent emitted it, so that a message could have contained it
		w.Saw(1)
	}
	return nil
}

// last returns the agent's last message in a snapshot, which must be partial.
func (t *snapshot) last(all []agentMessage) (agentMessage, error) {
	if len(all) == 0 || !all[len(all)-1].partial() {
		return agentMessage{}, t.failure("the last message", "one whose id ends in -partial", t.shows())
	}
	return all[len(all)-1], nil
}

func partialTextIs(w *world.World, text string) error {
	t, all, want, err := shown(w, text)
	if err != nil {
		return err
	}
	m, err := t.last(all)
	if err != nil {
		return err
	}
	if m.text != want {
		return t.failure("the text of the last message", text, t.shows())
	}
	for _, earlier := range all[:len(all)-1] {
		if earlier.partial() {
			return t.failure("the messages before the last", "complete ones", t.shows())
		}
	}
	w.Saw(1)
	return nil
}

// defaultForm expects partial content where the config declares it as the default, and none elsewhere.
func defaultForm(w *world.World, text string) error {
	if target.SectionOf[targethelix.Config](w.Session().Target()).Partial {
		return partialTextIs(w, text)
	}
	return noneContains(w, text)
}

// partialHas checks that the last message is partial and has a part with the members of a pattern. The part may have
// others.
func partialHas(w *world.World, text string) error {
	want, err := run.ParsePattern(text)
	if err != nil {
		return err
	}
	t, all, _, err := shown(w, `""`)
	if err != nil {
		return err
	}
	m, err := t.last(all)
	if err != nil {
		return err
	}
	for _, part := range m.parts {
		found := true
		for name, value := range want {
			found = found && steps.Same(steps.MemberOf(part, name), value)
		}
		if found {
			w.Saw(1)
			return nil
		}
	}
	return t.failure("the parts of the last message", "one with "+text, t.shows())
}

// textGoesOn compares a text with the joined texts of the messages and of the root agent after the sequence of the
// snapshot.
func textGoesOn(s *world.Stream, text string) error {
	t, all, want, err := shown(s.World, text)
	if err != nil {
		return err
	}
	entire, mark, err := complete(s)
	if err != nil {
		return err
	}
	cursor, err := t.cursor()
	if err != nil {
		return err
	}
	remaining, err := after(s, cursor, mark)
	if err != nil {
		return err
	}
	if sequence, _ := strconv.ParseInt(cursor, 10, 64); t.leavesOut(upToSequence(entire.Got, sequence), s.World) {
		s.World.Saw(1)
		return nil
	}
	got, root := "", run.Root(entire)
	for _, m := range all {
		got += m.text
	}
	for _, m := range remaining.Got {
		if m.Member("agentId") == root {
			got += run.TextOf([]*world.Message{m})
		}
	}
	if got != want {
		return t.failure("the text, with what follows it,", text, got)
	}
	s.World.Saw(1)
	return nil
}
