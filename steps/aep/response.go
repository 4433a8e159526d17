package aep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

func responseSteps(v *steps.Sentences[*world]) {
	steps.Step1(v, features.Then, `^`+ofTurn+` begins with metadata$`, onTurn(begins))
	steps.Step3(v, features.Then, `^`+ofTurn+` ends with (done|error|aborted)(?: after an? ([a-z_]+))?$`, func(w *world, who, kind, after string) error {
		return onTurn(func(t *turn) error { return t.endsAfter(kind, after) })(w, who)
	})
	steps.Step2(v, features.Then, `^`+ofTurn+` ends with the error `+steps.JSONString+`$`, onTurn2(endsWithError))
	steps.Step2(v, features.Then, `^the finish reason of `+ofTurn+` is `+steps.JSONString+`$`, onTurn2(finishReason))
	steps.Step2(v, features.Then, `^`+ofTurn+` has the text `+steps.JSONString+`$`, onTurn2(containsText))
	for _, k := range []features.Keyword{features.Given, features.Then} {
		steps.Step2(v, k, `^`+ofTurn+` has the text `+steps.JSONString+` so far$`, onTurn2(containsTextSoFar))
	}
	steps.Step2(v, features.Then, `^`+ofTurn+` has a text of the JSON (.+)$`, onTurn2(containsJSON))
	steps.Step2(v, features.Then, `^`+ofTurn+` has the thinking `+steps.JSONString+`$`, onTurn2(thinks))
	steps.Step2(v, features.Then, `^no text of `+ofTurn+` holds `+steps.JSONString+`$`, onTurn2(keepsApart))
	steps.Step3(v, features.Then, `^`+ofTurn+` holds nothing of `+steps.JSONString+`(?: beside an? ([a-z_]+))?$`, func(w *world, who, text, beside string) error {
		return onTurn(func(t *turn) error { return t.containsNothing(text, beside) })(w, who)
	})
	steps.Step3(v, features.Then, `^(\d+) comments come in `+ofTurn+`, one each heartbeat of at most (\d+) s$`, func(w *world, n int, who string, most int) error {
		return onTurn(func(t *turn) error { return commentsCome(t, n, time.Duration(most)*time.Second) })(w, who)
	})
}

// begins waits for metadata, however long the agent outputs nothing.
func begins(t *turn) error {
	e, err := t.until("metadata", func(*event) bool { return true })
	switch {
	case err != nil:
		return err
	case e == nil:
		return t.failure("metadata", "the end of the response", nil)
	case e.kind != "metadata":
		return t.failure("metadata", steps.Clip(e.frame.Data), e)
	}
	t.w.Saw(1)
	return nil
}

func endsWithError(t *turn, text string) error {
	var code string
	if err := json.Unmarshal([]byte(text), &code); err != nil {
		return steps.Faultf("%s is not a JSON string", text)
	}
	e, err := t.terminal("the error " + code)
	if err != nil {
		return err
	}
	if e.kind != "error" || e.text("code") != code {
		return t.failure("the error "+code, steps.Clip(e.frame.Data), e)
	}
	t.w.Saw(1)
	return nil
}

func finishReason(t *turn, text string) error {
	if err := t.endsWith("done"); err != nil {
		return err
	}
	if got, want := steps.Encode(t.over.value["finishReason"]), []byte(text); !bytes.Equal(got, want) {
		return t.failure("the finishReason "+text, steps.Clip(got), t.over)
	}
	return nil
}

// containsText checks the concatenation of all text blocks.
func containsText(t *turn, text string) error { return t.speaks("text", text) }

func thinks(t *turn, text string) error { return t.speaks("thinking", text) }

func (t *turn) speaks(kind, text string) error {
	if err := t.scripted(); err != nil {
		return err
	}
	var want string
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		return steps.Faultf("%s is not a JSON string", text)
	}
	if err := readToEnd(t); err != nil {
		return err
	}
	if got := t.joined(kind); got != want {
		return t.failure("the "+kind+" "+text, steps.Clip(steps.Encode(got)), nil)
	}
	t.w.Saw(1)
	return nil
}

// containsTextSoFar reads until the text has come, while the agent waits: nothing later
// can push it out.
func containsTextSoFar(t *turn, text string) error {
	if err := t.scripted(); err != nil {
		return err
	}
	var want string
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		return steps.Faultf("%s is not a JSON string", text)
	}
	for t.joined("text") != want {
		if t.over != nil || !strings.HasPrefix(want, t.joined("text")) {
			return t.failure("the text "+text+" so far", steps.Clip(steps.Encode(t.joined("text"))), t.over)
		}
		e, err := t.next("the text " + text)
		if err != nil {
			return err
		}
		if e == nil {
			return t.failure("the text "+text+" so far", "the end of the response", nil)
		}
	}
	t.w.Saw(1)
	return nil
}

// containsJSON compares the text as a value. $action in it is replaced by the requested action.
func containsJSON(t *turn, text string) error {
	for variable, n := range map[string]int{`"$action2"`: 2, `"$action"`: 1} {
		if !strings.Contains(text, variable) {
			continue
		}
		id, err := action(t.w, n)
		if err != nil {
			return err
		}
		text = strings.ReplaceAll(text, variable, string(steps.Encode(id)))
	}
	text = string(t.w.config.Results([]byte(text)))
	want, err := steps.Decode([]byte(text))
	if err != nil {
		return steps.Faultf("%s is not JSON", text)
	}
	if err := readToEnd(t); err != nil {
		return err
	}
	said := t.joined("text")
	if got, err := steps.Decode([]byte(said)); err != nil || !steps.Same(want, got) {
		return t.failure("the JSON "+text, steps.Clip(steps.Encode(said)), nil)
	}
	t.w.Saw(1)
	return nil
}

// keepsApart checks that reasoning is in no text, streamed or in done.
func keepsApart(t *turn, text string) error {
	var thought string
	if err := json.Unmarshal([]byte(text), &thought); err != nil {
		return steps.Faultf("%s is not a JSON string", text)
	}
	if err := readToEnd(t); err != nil {
		return err
	}
	if said := t.joined("text"); strings.Contains(said, thought) {
		return t.failure("texts without "+text, steps.Clip(steps.Encode(said)), nil)
	}
	for _, block := range t.contentOf("text") {
		if said, _ := block["text"].(string); strings.Contains(said, thought) {
			return t.failure("texts in done without "+text, steps.Clip(steps.Encode(said)), t.over)
		}
	}
	if t.shows("thinking") { // a server may hide all reasoning
		t.w.Saw(1)
	}
	return nil
}

// shows reports whether an event of a kind came; "" is any.
func (t *turn) shows(kind string) bool {
	return slices.ContainsFunc(t.events, func(e *event) bool { return kind == "" || e.kind == kind })
}

// containsNothing searches for a word in every event, in any escaped form. Without an event of the kind that could contain it,
// nothing is judged.
func (t *turn) containsNothing(text, beside string) error {
	var word string
	if err := json.Unmarshal([]byte(text), &word); err != nil {
		return steps.Faultf("%s is not a JSON string", text)
	}
	if err := readToEnd(t); err != nil {
		return err
	}
	for _, e := range t.events {
		if mentions(e.value, word) {
			return t.failure("nothing of "+text, steps.Clip(e.frame.Data), e)
		}
	}
	if t.shows(beside) {
		t.w.Saw(1)
	}
	return nil
}

// mentions reports whether a value contains a word in a name or a string.
func mentions(v any, word string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, word)
	case []any:
		for _, item := range v {
			if mentions(item, word) {
				return true
			}
		}
	case map[string]any:
		for name, member := range v {
			if strings.Contains(name, word) || mentions(member, word) {
				return true
			}
		}
	}
	return false
}

// commentsCome waits for as many heartbeats while the agent outputs nothing.
func commentsCome(t *turn, n int, longest time.Duration) error {
	timing := t.w.Session().Target().Timing()
	switch {
	case timing.Heartbeat == 0:
		return &steps.Unprovable{Reason: "the config names no heartbeat (timing.heartbeat)"}
	case timing.Heartbeat > longest: // the server promises a longer silence, so the step doesn't wait for it
		return t.failure(fmt.Sprintf("a heartbeat of at most %s", longest), fmt.Sprintf("one of %s, says timing.heartbeat", timing.Heartbeat), nil)
	}
	if _, err := t.reader.Head(); err != nil {
		return err
	}
	// Half an interval for each comes on top, and the deadline for a busy machine.
	if got := t.reader.CommentsWithin(n, timing.Heartbeat*3/2*time.Duration(n)+timing.Deadline); got < n {
		return t.failure(fmt.Sprintf("%d comments", n), fmt.Sprintf("%d in %d heartbeats", got, n), nil)
	}
	t.w.Saw(1)
	return nil
}
