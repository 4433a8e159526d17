package steps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
)

func responseSteps(v *Vocabulary) {
	step1(v, features.Then, `^`+ofTurn+` begins with metadata$`, onTurn((*turn).begins))
	step2(v, features.Then, `^`+ofTurn+` ends with (done|error|aborted)$`, onTurn2((*turn).endsWith))
	step2(v, features.Then, `^`+ofTurn+` ends with the error `+text+`$`, onTurn2((*turn).endsWithError))
	step2(v, features.Then, `^`+ofTurn+` times out with the error `+text+`$`, onTurn2((*turn).timesOut))
	step2(v, features.Then, `^the finish reason of `+ofTurn+` is `+text+`$`, onTurn2((*turn).finishReason))
	step2(v, features.Then, `^`+ofTurn+` has the text `+text+`$`, onTurn2((*turn).says))
	for _, k := range []features.Keyword{features.Given, features.Then} {
		step2(v, k, `^`+ofTurn+` has the text `+text+` so far$`, onTurn2((*turn).saysSoFar))
	}
	step2(v, features.Then, `^`+ofTurn+` has a text of the JSON (.+)$`, onTurn2((*turn).saysJSON))
	step2(v, features.Then, `^`+ofTurn+` has the thinking `+text+`$`, onTurn2((*turn).thinks))
	step2(v, features.Then, `^no text of `+ofTurn+` holds `+text+`$`, onTurn2((*turn).keepsApart))
	step2(v, features.Then, `^`+ofTurn+` holds nothing of `+text+`$`, onTurn2((*turn).holdsNothing))
	step2(v, features.Then, `^(\d+) comments come in `+ofTurn+`, one each heartbeat$`, func(w *World, n int, who string) error {
		return onTurn(func(t *turn) error { return t.comments(n) })(w, who)
	})
}

// begins waits for metadata, however long the agent says nothing.
func (t *turn) begins() error {
	e, err := t.until("metadata", func(*told) bool { return true })
	switch {
	case err != nil:
		return err
	case e == nil:
		return t.failure("metadata", "the end of the response", nil)
	case e.kind != "metadata":
		return t.failure("metadata", clip(e.frame.Data), e)
	}
	t.w.saw(1)
	return nil
}

func (t *turn) endsWithError(text string) error {
	var code string
	if err := json.Unmarshal([]byte(text), &code); err != nil {
		return fault("%s is not a JSON string", text)
	}
	e, err := t.terminal("the error " + code)
	if err != nil {
		return err
	}
	if e.kind != "error" || e.text("code") != code {
		return t.failure("the error "+code, clip(e.frame.Data), e)
	}
	t.w.saw(1)
	return nil
}

// timesOut waits as long as the server lets a stream hang. Where nothing was sent
// before, an HTTP error says it as well.
func (t *turn) timesOut(text string) error {
	limit := t.w.session.Target().AEP().StreamTimeout
	if limit == 0 {
		return &Unprovable{"the config doesn't say after which time a stream ends (aep.streamTimeout)"}
	}
	// The deadline comes on top: a server may look at its clock now and then only.
	v, ended := t.reader.EndedWithin(limit + limit/2 + t.w.session.Target().Timing().Deadline)
	if !ended {
		return t.failure("the end of the response", fmt.Sprintf("an open one after %v", limit), nil)
	}
	if v.Status != 200 && v.Status != 501 {
		if v.Status != 504 {
			return t.failure("504, or a stream that ends with the error "+text, strconv.Itoa(v.Status), nil)
		}
		t.w.otherwise = true
		t.w.saw(1)
		return nil
	}
	return t.endsWithError(text)
}

func (t *turn) finishReason(text string) error {
	if err := t.endsWith("done"); err != nil {
		return err
	}
	if got, want := encode(t.over.value["finishReason"]), []byte(text); !bytes.Equal(got, want) {
		return t.failure("the finishReason "+text, clip(got), t.over)
	}
	return nil
}

// says checks what all text blocks add up to.
func (t *turn) says(text string) error { return t.speaks("text", text) }

func (t *turn) thinks(text string) error { return t.speaks("thinking", text) }

func (t *turn) speaks(kind, text string) error {
	if err := t.scripted(); err != nil {
		return err
	}
	var want string
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		return fault("%s is not a JSON string", text)
	}
	if err := t.whole(); err != nil {
		return err
	}
	if got := t.joined(kind); got != want {
		return t.failure("the "+kind+" "+text, clip(encode(got)), nil)
	}
	t.w.saw(1)
	return nil
}

// saysSoFar reads until the text has come, while the agent waits: nothing later
// can push it out.
func (t *turn) saysSoFar(text string) error {
	var want string
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		return fault("%s is not a JSON string", text)
	}
	for t.joined("text") != want {
		if t.over != nil || !strings.HasPrefix(want, t.joined("text")) {
			return t.failure("the text "+text+" so far", clip(encode(t.joined("text"))), t.over)
		}
		e, err := t.next("the text " + text)
		if err != nil {
			return err
		}
		if e == nil {
			return t.failure("the text "+text+" so far", "the end of the response", nil)
		}
	}
	t.w.saw(1)
	return nil
}

// saysJSON compares the text as a value. $action in it stands for what was asked.
func (t *turn) saysJSON(text string) error {
	for variable, n := range map[string]int{`"$action2"`: 2, `"$action"`: 1} {
		if !strings.Contains(text, variable) {
			continue
		}
		id, err := t.w.action(n)
		if err != nil {
			return err
		}
		text = strings.ReplaceAll(text, variable, string(encode(id)))
	}
	want, err := decode([]byte(text))
	if err != nil {
		return fault("%s is not JSON", text)
	}
	if err := t.whole(); err != nil {
		return err
	}
	said := t.joined("text")
	if got, err := decode([]byte(said)); err != nil || !same(want, got) {
		return t.failure("the JSON "+text, clip(encode(said)), nil)
	}
	t.w.saw(1)
	return nil
}

// keepsApart checks that a thought is in no text, streamed or in done.
func (t *turn) keepsApart(text string) error {
	var thought string
	if err := json.Unmarshal([]byte(text), &thought); err != nil {
		return fault("%s is not a JSON string", text)
	}
	if err := t.whole(); err != nil {
		return err
	}
	if said := t.joined("text"); strings.Contains(said, thought) {
		return t.failure("texts without "+text, clip(encode(said)), nil)
	}
	for _, block := range t.contentOf("text") {
		if said, _ := block["text"].(string); strings.Contains(said, thought) {
			return t.failure("texts in done without "+text, clip(encode(said)), t.over)
		}
	}
	t.w.saw(1)
	return nil
}

// holdsNothing looks for a word in every event, however it is escaped.
func (t *turn) holdsNothing(text string) error {
	var word string
	if err := json.Unmarshal([]byte(text), &word); err != nil {
		return fault("%s is not a JSON string", text)
	}
	if err := t.whole(); err != nil {
		return err
	}
	for _, e := range t.events {
		if mentions(e.value, word) {
			return t.failure("nothing of "+text, clip(e.frame.Data), e)
		}
	}
	t.w.saw(1)
	return nil
}

// mentions reports whether a value holds a word in a name or a string.
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

// comments waits for as many heartbeats while the agent says nothing.
func (t *turn) comments(n int) error {
	timing := t.w.session.Target().Timing()
	if timing.Heartbeat == 0 {
		return &Unprovable{"the config names no heartbeat (timing.heartbeat)"}
	}
	if _, err := t.reader.Head(); err != nil {
		return err
	}
	// Half an interval for each comes on top, and the deadline for a busy machine.
	if got := t.reader.CommentsWithin(n, timing.Heartbeat*3/2*time.Duration(n)+timing.Deadline); got < n {
		return t.failure(fmt.Sprintf("%d comments", n), fmt.Sprintf("%d in %d heartbeats", got, n), nil)
	}
	t.w.saw(1)
	return nil
}
