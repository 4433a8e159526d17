package steps

import (
	"strings"

	"github.com/streamcert/streamcert/features"
)

func snapshotMessageSteps(v *Vocabulary) {
	step1(v, features.Then, `^the complete messages of the snapshot say `+text+`$`, func(w *World, want string) error {
		return w.completeSay(want)
	})
	step1(v, features.Then, `^no message of the snapshot says `+text+`$`, func(w *World, unwanted string) error {
		return w.noneSays(unwanted)
	})
	step1(v, features.Then, `^the last message of the snapshot is partial and says `+text+`$`, func(w *World, want string) error {
		return w.partialSays(want)
	})
	step1(v, features.Then, `^the last message of the snapshot has a part with (\{.*\})$`, func(w *World, want string) error {
		return w.partialHas(want)
	})
	step1(v, features.Then, `^the text of the snapshot and of what follows it is `+text+`$`, onStream1(func(w *World, s *stream, want string) error {
		return w.textGoesOn(s, want)
	}))
}

// remark is a message of the agent, as far as a page shows it. What users and systems said isn't the stream's to tell.
type remark struct {
	id    string
	text  string
	parts []any
}

func (m remark) partial() bool { return strings.HasSuffix(m.id, "-partial") }

// remarks are the agent's messages in a snapshot. Where none are, it says nothing.
func (t *taken) remarks() ([]remark, error) {
	list, ok := t.members["messages"].([]any)
	if !ok && t.members["messages"] != nil {
		return nil, t.failure("messages", "an array", clip(encode(t.members["messages"])))
	}
	var out []remark
	for _, m := range list {
		if role, ok := memberOf(m, "role").(string); ok && role != "assistant" {
			continue
		}
		var r remark
		r.id, _ = memberOf(m, "id").(string)
		r.parts, _ = memberOf(m, "parts").([]any)
		for _, part := range r.parts {
			if memberOf(part, "type") == "text" {
				said, _ := memberOf(part, "text").(string)
				r.text += said
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// shown are the remarks of the last snapshot, and the string that a step names.
func (w *World) shown(text string) (*taken, []remark, string, error) {
	t, err := w.snapshot()
	if err != nil {
		return nil, nil, "", err
	}
	v, err := decode([]byte(text))
	want, ok := v.(string)
	if err != nil || !ok {
		return nil, nil, "", fault("%s is no JSON string", text)
	}
	all, err := t.remarks()
	return t, all, want, err
}

func (t *taken) shows() string { return clip(encode(t.members["messages"])) }

// completeSay compares what all messages say but for partial ones. How a server cuts a conversation into messages is its
// own.
func (w *World) completeSay(text string) error {
	t, all, want, err := w.shown(text)
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
	w.saw(1)
	return nil
}

// noneSays checks that something isn't shown at all, and that no message calls itself partial.
func (w *World) noneSays(text string) error {
	t, all, unwanted, err := w.shown(text)
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.partial() || strings.Contains(m.text, unwanted) {
			return t.failure("the messages", "none that is partial or says "+text, t.shows())
		}
	}
	w.saw(1)
	return nil
}

// last is the last remark of a snapshot, which must be partial.
func (t *taken) last(all []remark) (remark, error) {
	if len(all) == 0 || !all[len(all)-1].partial() {
		return remark{}, t.failure("the last message", "one whose id ends in -partial", t.shows())
	}
	return all[len(all)-1], nil
}

func (w *World) partialSays(text string) error {
	t, all, want, err := w.shown(text)
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
	w.saw(1)
	return nil
}

// partialHas looks for a part that has the members of a pattern, whatever else it has.
func (w *World) partialHas(text string) error {
	want, err := parsePattern(text)
	if err != nil {
		return err
	}
	t, all, _, err := w.shown(`""`)
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
			found = found && same(memberOf(part, name), value)
		}
		if found {
			w.saw(1)
			return nil
		}
	}
	return t.failure("the parts of the last message", "one with "+text, t.shows())
}

// textGoesOn joins what the messages say with what the root agent says after the sequence of the snapshot.
func (w *World) textGoesOn(s *stream, text string) error {
	t, all, want, err := w.shown(text)
	if err != nil {
		return err
	}
	mark, err := w.end(s)
	if err != nil {
		return err
	}
	whole, err := w.after(s, "", mark)
	if err != nil {
		return err
	}
	cursor, err := t.cursor()
	if err != nil {
		return err
	}
	rest, err := w.after(s, cursor, mark)
	if err != nil {
		return err
	}
	got, root := "", whole.root()
	for _, m := range all {
		got += m.text
	}
	for _, m := range rest.got {
		if m.member("agentId") == root {
			got += textOf([]*message{m})
		}
	}
	if got != want {
		return t.failure("the text, with what follows it,", text, got)
	}
	w.saw(1)
	return nil
}
