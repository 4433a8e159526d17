package aep

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
)

func refusalSteps(v *steps.Sentences[*world]) {
	steps.Step1(v, features.Then, `^`+aTurn+` is served$`, onTurn(isServed))
	steps.Step1(v, features.Then, `^`+aTurn+` is refused$`, onTurn(isRefused))
	steps.Step2(v, features.Then, `^`+aTurn+` is refused, or has no answer with `+steps.JSONString+`$`, onTurn2(isRefusedOrLacks))
	steps.Step2(v, features.Then, `^`+aTurn+` is refused with (\d+(?: or \d+)*)$`, onTurn2(isRefusedWith))
	steps.Step2(v, features.Then, `^the refusal of `+aTurn+` has the code ("[^"]+"(?: or "[^"]+")*)$`, onTurn2(refusalCode))
	steps.Step1(v, features.Then, `^the refusal of `+aTurn+` holds no secret$`, onTurn(refusalKeepsSecrets))
	steps.Step2(v, features.Then, `^the failure of `+aTurn+` is told with `+steps.JSONString+`, or with the status (?:\d+)$`, onTurn2(failureIsReported))
}

// isServed checks that the answer is a stream, and that it begins.
func isServed(t *turn) error {
	v, err := t.reader.Head()
	if err != nil {
		return err
	}
	if v.Status == 501 {
		return t.served()
	}
	if v.Status != 200 || !v.IsEventStream() {
		ended, err := t.reader.Ended()
		if err != nil {
			return err
		}
		return t.failure("200 and an event stream", fmt.Sprintf("%d and %q: %s", v.Status, v.Get("content-type"), steps.Clip(ended.Answer)), nil)
	}
	e, err := t.until("the first event of the response", func(*event) bool { return true })
	if err != nil {
		return err
	}
	if e == nil {
		return t.failure("a stream with events", "one without", nil)
	}
	if e.kind == "error" {
		return t.failure("a stream that answers", steps.Clip(e.frame.Data), e)
	}
	t.w.Saw(1)
	return nil
}

// refusal waits for the answer of a request that must be refused.
func (t *turn) refusal(want string) (record.Response, error) {
	v, err := t.reader.Head()
	if err != nil {
		return v, err
	}
	if v.Status == 200 {
		return v, t.failure(want, "200 and "+v.Get("content-type"), nil)
	}
	return t.reader.Ended()
}

func isRefused(t *turn) error {
	const want = "a refusal (4xx)"
	v, err := t.refusal(want)
	if err != nil {
		return err
	}
	if v.Status/100 != 4 {
		return t.failure(want, fmt.Sprintf("%d %s", v.Status, steps.Clip(v.Answer)), nil)
	}
	t.w.Saw(1)
	return nil
}

// isRefusedOrLacks also accepts an answer that doesn't perform the request.
func isRefusedOrLacks(t *turn, text string) error {
	if err := t.scripted(); err != nil {
		return err
	}
	if v, err := t.reader.Head(); err != nil || v.Status != 200 {
		return cmp.Or(err, isRefused(t))
	}
	t.w.NoteAlternative()
	return t.containsNothing(text, "")
}

// isRefusedWith takes a list of statuses. The reference has the first.
func isRefusedWith(t *turn, list string) error {
	v, err := t.refusal(list)
	if err != nil {
		return err
	}
	return t.oneOf(strings.Split(list, " or "), strconv.Itoa(v.Status), fmt.Sprintf("%d %s", v.Status, steps.Clip(v.Answer)))
}

// oneOf checks that a value is in a list; any but the first is recorded as an alternative.
func (t *turn) oneOf(list []string, one, got string) error {
	i := slices.Index(list, one)
	if i < 0 {
		return t.failure(strings.Join(list, " or "), got, nil)
	}
	if i > 0 {
		t.w.NoteAlternative()
	}
	t.w.Saw(1)
	return nil
}

func refusalCode(t *turn, list string) error {
	v, err := t.refusal("a refusal with the code " + list)
	if err != nil {
		return err
	}
	var body struct {
		Code any `json:"code"`
	}
	_ = json.Unmarshal(v.Answer, &body) // invalid JSON has no code
	return t.oneOf(strings.Split(list, " or "), string(steps.Encode(body.Code)), steps.Clip(v.Answer))
}

func refusalKeepsSecrets(t *turn) error {
	v, err := t.reader.Ended()
	if err != nil {
		return err
	}
	if steps.RepeatsSecret(v) {
		return t.failure("an error without the secrets of the request", steps.Clip(v.Answer), nil)
	}
	if v.Status >= 400 || t.over != nil && t.over.kind == "error" {
		t.w.Saw(1)
	}
	return nil
}

// failureIsReported: a failure before the stream is an HTTP error, or, where the head
// was sent already, an error event.
func failureIsReported(t *turn, text string) error {
	if err := t.scripted(); err != nil {
		return err
	}
	var code string
	if err := json.Unmarshal([]byte(text), &code); err != nil {
		return steps.Faultf("%s is not a JSON string", text)
	}
	v, err := t.reader.Head()
	if err != nil {
		return err
	}
	if v.Status == 200 {
		t.w.NoteAlternative()
		return endsWithError(t, text)
	}
	status := map[string]int{"internal_error": 500, "stream_timeout": 504}[code]
	if v.Status == 501 {
		return t.served()
	}
	if _, err := t.reader.Ended(); err != nil {
		return err
	}
	if v.Status != status {
		return t.failure(fmt.Sprintf("%d, or an error event with the code %s", status, code), strconv.Itoa(v.Status), nil)
	}
	t.w.Saw(1)
	return nil
}
