package helixui

import (
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
)

func endSteps(v *steps.Sentences[*world]) {
	steps.Step1(v, features.Then, `^the finish reason of the response is `+steps.JSONString+`$`, onTurn1(finishReason))
	steps.Step0(v, features.Then, `^the failure is told with an error part, a status of 400 or more, or a broken connection$`, onTurn(failureReported))
	steps.Step0(v, features.Then, `^the failure is told with an error part$`, onTurn(failureIsPart))
}

// finishes reads to the end, which finish has to announce.
func finishes(t *turn) error {
	if err := t.readToEnd(); err != nil {
		return err
	}
	if t.find("finish") == nil {
		return t.failure("finish", "parts of the types "+t.kinds(), nil)
	}
	t.w.Saw(1)
	return nil
}

// finishReason compares the reason of finish, which is quoted JSON.
func finishReason(t *turn, quoted string) error {
	if err := finishes(t); err != nil {
		return err
	}
	p := t.find("finish")
	if got := string(steps.Encode(p.value["finishReason"])); got != quoted {
		return t.failure("the finishReason "+quoted, got, p)
	}
	return nil
}

// failureIsPart searches for the part that reports a failure.
func failureIsPart(t *turn) error {
	if err := t.readToEnd(); err != nil {
		return err
	}
	if t.find("error") == nil {
		return t.failure("an error part", "parts of the types "+t.kinds(), nil)
	}
	t.w.Saw(1)
	return nil
}

// failureReported takes a failure as a part of the stream, as a refusal where there is no stream, or as a connection that breaks.
func failureReported(t *turn) error {
	if err := t.canScript(); err != nil {
		return err
	}
	if v, err := t.reader.Head(); err != nil || v.Status >= 400 && v.Status != 501 {
		if err == nil {
			t.w.NoteAlternative()
			t.w.Saw(1)
		}
		return err
	}
	if err := t.readToEnd(); err != nil {
		return err
	}
	switch broken := t.reader.Now().End; {
	case t.find("error") != nil:
	case broken != record.ServerClose:
		t.w.NoteAlternative()
	default:
		return t.failure("an error part, or a connection that breaks", "parts of the types "+t.kinds()+", and a clean end", nil)
	}
	t.w.Saw(1)
	return nil
}

// unquoted reads a JSON string.
func unquoted(quoted string) (string, error) {
	var text string
	if err := json.Unmarshal([]byte(quoted), &text); err != nil {
		return "", steps.Faultf("%s is not a JSON string", quoted)
	}
	return text, nil
}

// counted returns the text of a number of parts of a type.
func counted(n int, kind string) string { return fmt.Sprintf("%d parts of the type %s", n, kind) }
