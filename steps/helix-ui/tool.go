package helixui

import (
	"slices"

	"github.com/streamcert/streamcert/features"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
	"github.com/streamcert/streamcert/steps"
)

func toolSteps(v *steps.Sentences[*world]) {
	steps.Step2(v, features.Then, `^the response calls "([^"]+)" with the input (.+)$`, func(w *world, tool, input string) error {
		return onTurn(func(t *turn) error { return calls(t, tool, input) })(w)
	})
	steps.Step1(v, features.Then, `^the call returns (.+)$`, onTurn1(returns))
	steps.Step0(v, features.Then, `^the call fails, and the response ends with finish$`, onTurn(callFails))
	steps.Step0(v, features.Then, `^the input of the call is said to be wrong, and the response ends with finish$`, onTurn(inputIsWrong))
	steps.Step0(v, features.Then, `^the text stands in a later step than the call$`, onTurn(laterStep))
}

// calls compares the tool and the input of the first call.
func calls(t *turn, tool, input string) error {
	if err := t.readToEnd(); err != nil {
		return err
	}
	p := t.find("tool-input-available")
	if p == nil {
		return t.failure("a call of "+tool, counted(0, "tool-input-available"), nil)
	}
	input = client.Input(t.w.Session(), t.reader.Exchange, 0, input)
	want, err := steps.Decode([]byte(input))
	if err != nil {
		return steps.Faultf("%s is not JSON", input)
	}
	if p.text("toolName") != tool || !steps.Same(want, p.value["input"]) {
		return t.failure("a call of "+tool+" with "+input, steps.Clip(p.frame.Data), p)
	}
	t.w.Saw(1)
	return nil
}

// returns compares the output of the first call.
func returns(t *turn, output string) error {
	if err := t.readToEnd(); err != nil {
		return err
	}
	at := slices.IndexFunc(t.parts, func(p *part) bool { return p.kind == "tool-output-available" && p.value["preliminary"] != true })
	if at < 0 {
		return t.failure("the output "+output, "no tool-output-available that isn't preliminary", nil)
	}
	p := t.parts[at]
	want, err := steps.Decode([]byte(output))
	if err != nil {
		return steps.Faultf("%s is not JSON", output)
	}
	if !steps.Same(want, p.value["output"]) {
		return t.failure("the output "+output, steps.Clip(p.frame.Data), p)
	}
	t.w.Saw(1)
	return nil
}

func callFails(t *turn) error {
	if err := finishes(t); err != nil {
		return err
	}
	if t.find("tool-output-error") == nil {
		return t.failure("a failure of the call", "parts of the types "+t.kinds(), nil)
	}
	return nil
}

func inputIsWrong(t *turn) error {
	if err := finishes(t); err != nil {
		return err
	}
	if t.find("tool-input-error") == nil {
		return t.failure("tool-input-error", "parts of the types "+t.kinds(), nil)
	}
	return nil
}

// laterStep searches for a step that begins between the first call and the text.
func laterStep(t *turn) error {
	if err := t.readToEnd(); err != nil {
		return err
	}
	at := func(kind string, from int) int {
		i := slices.IndexFunc(t.parts[from:], func(p *part) bool { return p.kind == kind })
		if i < 0 {
			return -1
		}
		return from + i
	}
	call := at("tool-input-available", 0)
	if call < 0 {
		return t.failure("a call", counted(0, "tool-input-available"), nil)
	}
	text := at("text-start", call)
	if text < 0 {
		return t.failure("a text behind the call", "parts of the types "+t.kinds(), nil)
	}
	if step := at("start-step", call); step < 0 || step > text {
		return t.failure("start-step between the call and the text", "parts of the types "+t.kinds(), t.parts[text])
	}
	t.w.Saw(1)
	return nil
}
