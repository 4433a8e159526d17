package helixui

import (
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

func contentSteps(v *steps.Sentences[*world]) {
	steps.Step1(v, features.Then, `^the response has the text `+steps.JSONString+`$`, onTurn1(containsText))
	steps.Step1(v, features.Then, `^the response has the reasoning `+steps.JSONString+`, or none$`, onTurn1(thinks))
	steps.Step1(v, features.Then, `^no text of the response holds `+steps.JSONString+`$`, onTurn1(keepsApart))
	for _, k := range []features.Keyword{features.Given, features.Then} {
		steps.Step1(v, k, `^the response has the text `+steps.JSONString+` so far$`, onTurn1(containsTextSoFar))
	}
}

// containsText compares the concatenation of all texts.
func containsText(t *turn, quoted string) error {
	want, err := unquoted(quoted)
	if err != nil {
		return err
	}
	if err := t.readToEnd(); err != nil {
		return err
	}
	if got := t.joined("text"); got != want {
		return t.failure("the text "+quoted, steps.Clip(steps.Encode(got)), nil)
	}
	t.w.Saw(1)
	return nil
}

// thinks compares the concatenated reasoning. A server may hide it.
func thinks(t *turn, quoted string) error {
	want, err := unquoted(quoted)
	if err != nil {
		return err
	}
	if err := t.readToEnd(); err != nil {
		return err
	}
	if t.find("reasoning-start") == nil && t.find("reasoning-delta") == nil {
		t.w.NoteAlternative()
		return nil
	}
	if got := t.joined("reasoning"); got != want {
		return t.failure("the reasoning "+quoted, steps.Clip(steps.Encode(got)), nil)
	}
	t.w.Saw(1)
	return nil
}

// keepsApart searches for reasoning in the texts.
func keepsApart(t *turn, quoted string) error {
	thought, err := unquoted(quoted)
	if err != nil {
		return err
	}
	if err := t.readToEnd(); err != nil {
		return err
	}
	if said := t.joined("text"); strings.Contains(said, thought) {
		return t.failure("texts without "+quoted, steps.Clip(steps.Encode(said)), nil)
	}
	if t.find("reasoning-start") != nil || t.find("error") != nil { // a server may hide all reasoning, and end without an error
		t.w.Saw(1)
	}
	return nil
}

// containsTextSoFar reads until a text has come, while the agent waits: nothing later can push it out.
func containsTextSoFar(t *turn, quoted string) error {
	want, err := unquoted(quoted)
	if err == nil {
		err = t.canScript()
	}
	if err != nil {
		return err
	}
	for t.joined("text") != want {
		if t.over || !strings.HasPrefix(want, t.joined("text")) {
			return t.failure("the text "+quoted+" so far", steps.Clip(steps.Encode(t.joined("text"))), nil)
		}
		p, err := t.next("the text " + quoted)
		if err != nil {
			return t.textWithheld(err, want)
		}
		if p == nil {
			return t.failure("the text "+quoted+" so far", "the end of the response", nil)
		}
	}
	t.w.Saw(1)
	return nil
}
