package aep

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

func historySteps(v *steps.Sentences[*world]) {
	steps.Step2(v, features.Then, `^`+ofTurn+` has the history (\[.*\])$`, onTurn2(knows))
}

// historyMessage is an earlier message of one side, as an agent repeats it or a scenario expects it.
type historyMessage struct {
	User  *string `json:"user"`  // text of a user's message; nil for one of the agent
	Agent *string `json:"agent"` // text of an agent's message; nil for one of the user
	// Unfinished marks a message of a request that didn't end with done: a prefix of the answer is valid, and no answer.
	Unfinished bool `json:"unfinished"`
}

func (s historyMessage) isSilent() bool { return s.User == nil && (s.Agent == nil || *s.Agent == "") }

// allows reports whether a message that the agent repeats matches this expected one.
func (s historyMessage) allows(got historyMessage) bool {
	same := func(want, got *string) bool {
		return want == nil && got == nil || want != nil && got != nil && *want == *got
	}
	if s.Unfinished && s.Agent != nil && got.Agent != nil {
		return strings.HasPrefix(*s.Agent, *got.Agent)
	}
	return same(s.User, got.User) && same(s.Agent, got.Agent)
}

// knows compares the history that the agent repeats with the expected one.
func knows(t *turn, text string) error {
	var want, got []historyMessage
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		return steps.Faultf("%s is no history", text)
	}
	if err := t.scripted(); err != nil {
		return err
	}
	if err := readToEnd(t); err != nil {
		return err
	}
	told := t.joined("text")
	err := json.Unmarshal([]byte(told), &got)
	got = slices.DeleteFunc(got, historyMessage.isSilent)
	if err != nil || !remembered(want, got) {
		return t.failure("the history "+text, steps.Clip([]byte(told)), nil)
	}
	t.w.Saw(1)
	return nil
}

// remembered reports whether a history contains exactly the required messages, in order.
func remembered(want, got []historyMessage) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	return want[0].Unfinished && remembered(want[1:], got) ||
		len(got) > 0 && want[0].allows(got[0]) && remembered(want[1:], got[1:])
}
