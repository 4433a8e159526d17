package helixui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
	"github.com/streamcert/streamcert/steps"
)

func waitingSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Step1(v, k, `^the client answers its calls with (\[.+\])$`, answerCalls)
	})
	steps.Step0(v, features.Then, `^the response asks for the approval of 2 calls$`, onTurn(func(t *turn) error { return t.asks(2) }))
	steps.Step0(v, features.Then, `^the response asks for the approval of a call, and ends with finish$`, onTurn(func(t *turn) error {
		if err := t.asks(1); err != nil {
			return err
		}
		return finishes(t)
	}))
	steps.Step0(v, features.Then, `^no call of the response has an output$`, onTurn(runsNothing))
	steps.Step0(v, features.Then, `^the last call is denied$`, onTurn(deniesLast))
	steps.Step0(v, features.Then, `^the response names no other message than the one before$`, onTurn(continuesMessage))
	steps.Step1(v, features.Then, `^the history has a call with the output (.+)$`, historyBrings)
}

// waiting returns the parts with the complete inputs of the calls of a response that was read to its end.
func (t *turn) waiting() (inputs []*part, err error) {
	if err := t.readToEnd(); err != nil {
		return nil, err
	}
	for _, p := range t.parts {
		if p.kind == "tool-input-available" {
			inputs = append(inputs, p)
		}
	}
	if len(inputs) == 0 {
		return nil, t.failure("a call", counted(0, "tool-input-available"), nil)
	}
	return inputs, nil
}

// answerCalls posts the answers of the client to the calls of the latest response, in their order: a JSON array of "approved",
// "denied" and objects with an output.
func answerCalls(w *world, list string) error {
	value, err := steps.Decode([]byte(list))
	answers, isList := value.([]any)
	if err != nil || !isList {
		return steps.Faultf("the answers are no JSON array: %s", list)
	}
	var replies []map[string]any
	for _, one := range answers {
		reply, isObject := one.(map[string]any)
		if !isObject {
			reply = map[string]any{"approved": one == "approved"}
		}
		replies = append(replies, reply)
	}
	before, err := w.requestedTurn()
	if err != nil {
		return err
	}
	if _, err := before.waiting(); err != nil {
		return before.where(err)
	}
	var parts []map[string]any
	for _, p := range before.parts {
		parts = append(parts, p.value)
	}
	r := client.Request{Chat: w.chat, Text: utterance, Answered: client.Answered(parts, replies)}
	reader, err := client.Send(w.Session(), r, target.StreamRequest{Heading: w.Step()})
	if err != nil {
		return steps.Faultf("making a request: %v", err)
	}
	w.turns = append(w.turns, &turn{w: w.World, reader: reader, scripted: true, isResponse: true, answers: before})
	return nil
}

// asks counts the calls for which the response asks for approval.
func (t *turn) asks(want int) error {
	if _, err := t.waiting(); err != nil {
		return err
	}
	calls := map[string]bool{}
	for _, p := range t.parts {
		if p.kind == "tool-approval-request" {
			calls[p.text("toolCallId")] = true
		}
	}
	if len(calls) < want {
		return t.failure(fmt.Sprintf("tool-approval-request for %d calls", want), fmt.Sprintf("%d of them, and parts of the types %s", len(calls), t.kinds()), nil)
	}
	t.w.Saw(1)
	return nil
}

func runsNothing(t *turn) error {
	if _, err := t.waiting(); err != nil {
		return err
	}
	for _, p := range t.parts {
		if strings.HasPrefix(p.kind, "tool-output-") {
			return t.failure("no output before the client answers", p.kind, p)
		}
	}
	t.w.Saw(1)
	return nil
}

// deniesLast checks the outcome of the last call that the response before left to the client.
func deniesLast(t *turn) error {
	inputs, err := t.answers.waiting()
	if err == nil {
		err = t.readToEnd()
	}
	if err != nil {
		return err
	}
	id := inputs[len(inputs)-1].text("toolCallId")
	at := slices.IndexFunc(t.parts, func(p *part) bool { return strings.HasPrefix(p.kind, "tool-output-") && p.text("toolCallId") == id })
	if at < 0 {
		return t.failure("tool-output-denied for "+id, "parts of the types "+t.kinds(), nil)
	}
	if p := t.parts[at]; !model.Denies(p.kind, p.value["output"]) {
		return t.failure("tool-output-denied, tool-output-error or the output "+model.Refusal, steps.Clip(p.frame.Data), p)
	}
	t.w.Saw(1)
	return nil
}

// continuesMessage compares the messageId with that of the response before. Either may have none.
func continuesMessage(t *turn) error {
	if err := t.readToEnd(); err != nil {
		return err
	}
	before, now := t.answers.find("start"), t.find("start")
	if before == nil || now == nil || before.text("messageId") == "" || now.text("messageId") == "" {
		t.w.NoteAlternative()
		return nil
	}
	if want, got := before.text("messageId"), now.text("messageId"); want != got {
		return t.failure("the messageId "+want, got, now)
	}
	t.w.Saw(1)
	return nil
}

// historyBrings searches the calls of the history for one with an output.
func historyBrings(w *world, output string) error {
	want, err := steps.Decode([]byte(output))
	if err != nil {
		return steps.Faultf("%s is not JSON", output)
	}
	_, all, err := w.recalled()
	if err != nil {
		return err
	}
	var calls []map[string]any
	for _, m := range all {
		for _, p := range model.PartsOf(m.value) {
			if p["toolCallId"] == nil {
				continue
			}
			if calls = append(calls, p); steps.Same(want, p["output"]) {
				w.Saw(1)
				return nil
			}
		}
	}
	return w.historyFailure("a call with the output "+output, steps.Clip(steps.Encode(calls)))
}

func waitings() []steps.Fixture {
	pay := `{"tool": {"name": "pay", "arguments": {"eur": 5}, "approval": true, "result": {"paid": 5}}}`
	locate := `{"tool": {"name": "locate", "arguments": {}, "client": true}}`
	both := scripted(`[` + pay + `, ` + pay + `, {"text": "Paid."}]`)
	answered := func(request, answers string) []string {
		return setup(request, "the response has been read", "the client answers its calls with "+answers)
	}
	return []steps.Fixture{
		{Then: "the response asks for the approval of 2 calls", Setup: setup(both), Mutant: "one-request-a-step", Message: "1 of them"},
		{Then: "the response asks for the approval of a call, and ends with finish", Setup: setup(both), Mutant: "open-until-the-answer", Message: "the end of the response", TimesOut: true},
		{Then: "no call of the response has an output", Setup: setup(both), Mutant: "runs-and-asks", Message: "tool-output-available"},
		{Then: "the last call is denied", Setup: answered(both, `["approved", "denied"]`), Mutant: "every-answer-is-consent", Message: model.Refusal},
		{Then: "the response names no other message than the one before", Setup: answered(both, `["approved", "approved"]`), Mutant: "answers-begin-a-message", Message: "the messageId"},
		{Then: `the history has a call with the output {"city": "Oslo"}`,
			Setup:  append(answered(scripted(`[`+locate+`, {"text": "Oslo."}]`), `[{"output": {"city": "Oslo"}}]`), "the response has been read", "the history is asked for"),
			Mutant: "client-outputs-are-dropped", Message: "a call with the output"},
	}
}
