package aep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
	"github.com/streamcert/streamcert/steps"
)

// utterance is the text of a request where the text doesn't matter.
const utterance = "Plan the trip"

func requestSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Doc1(v, k, `^a request with this script:$`, func(w *world, script string) error { return requestScript(w, "", script, false) })
		steps.Doc2(v, k, `^request "([^"]+)" with this script:$`, func(w *world, name, script string) error {
			return requestScript(w, name, script, false)
		})
		steps.Doc2(v, k, `^request "([^"]+)" on the same thread(?:, which may be refused with 409,)? with this script:$`, func(w *world, name, script string) error {
			return requestScript(w, name, script, true)
		})
		steps.Doc2(v, k, `^request "([^"]+)" on the same thread, again while it is refused with 409, with this script:$`, requestWhileBusy)
		steps.Doc1(v, k, `^this request:$`, func(w *world, body string) error { return requestBody(w, "", body, target.First) })
		steps.Doc2(v, k, `^request "([^"]+)":$`, func(w *world, name, body string) error { return requestBody(w, name, body, target.First) })
		steps.Step1(v, k, `^`+aTurn+` has begun$`, onTurn(func(t *turn) error {
			_, err := t.metadata()
			return err
		}))
		steps.Step1(v, k, `^`+aTurn+` has been answered$`, onTurn(readToEnd))
		steps.Step1(v, k, `^`+aTurn+` has been refused$`, onTurn(isRefused))
		steps.Step1(v, k, `^`+aTurn+` has been answered, or refused with 409$`, onTurn(func(t *turn) error {
			v, err := t.reader.Head()
			if err == nil && v.Status == 409 {
				_, err = t.reader.Ended()
				return err
			}
			return readToEnd(t)
		}))
		steps.Step2(v, k, `^the agent of `+aTurn+` passes "([^"]+)"$`, onTurn2(release))
		steps.Step2(v, k, `^the agent of `+aTurn+` passes "([^"]+)", if it is still known$`, onTurn2(func(t *turn, barrier string) error {
			// Who was cancelled needn't wait any more.
			if err := release(t, barrier); err != nil && !isUnavailable(err) {
				return err
			}
			return nil
		}))
		steps.Step1(v, k, `^`+aTurn+` is cancelled$`, onTurn(cancel))
		steps.Step1(v, k, `^`+aTurn+` is cancelled by the other user$`, onTurn(cancelByOther))
		steps.Step1(v, k, `^the reader of `+aTurn+` leaves$`, onTurn(func(t *turn) error {
			t.reader.Disconnect()
			t.w.Idle(quiet) // a server notices in its own time, and nothing says when
			return nil
		}))
	})
	steps.Doc1(v, features.When, `^this request of the other user:$`, func(w *world, body string) error { return requestBody(w, "", body, targetaep.Other) })
	unusualRequestSteps(v)
}

func unusualRequestSteps(v *steps.Sentences[*world]) {
	steps.Step0(v, features.When, `^a request without its credential$`, func(w *world) error {
		return w.requestShaped("", requestOf(nil), target.StreamRequest{As: target.Anonymous})
	})
	steps.Step0(v, features.When, `^a request with another credential$`, func(w *world) error {
		return w.requestShaped("", requestOf(nil), target.StreamRequest{As: target.WrongToken})
	})
	steps.Doc2(v, features.When, `^a request( on the same thread)? without the control token, with this script:$`, requestUntrusted)
	steps.Step0(v, features.When, `^a request with secrets, on a thread that never was$`, func(w *world) error {
		return w.requestShaped("", requestOf(map[string]any{"threadId": unusedThread(w)}), target.StreamRequest{Headers: steps.Secrets()})
	})
	steps.Step1(v, features.When, `^a request with the Last-Event-ID `+steps.JSONString+`$`, func(w *world, id string) error {
		var cursor string
		if err := json.Unmarshal([]byte(id), &cursor); err != nil {
			return steps.Faultf("%s is not a JSON string", id)
		}
		return w.requestShaped("", requestOf(nil), target.StreamRequest{Headers: map[string]string{"Last-Event-ID": cursor}})
	})
	steps.Step1(v, features.When, `^a request with the body `+steps.JSONString+`$`, func(w *world, body string) error {
		var raw string
		if err := json.Unmarshal([]byte(body), &raw); err != nil {
			return steps.Faultf("%s is not a JSON string", body)
		}
		return w.requestRaw([]byte(raw))
	})
}

func isUnavailable(err error) bool {
	_, is := target.IsUnavailable(err)
	return is
}

// requestOf returns a request of one message, with other members.
func requestOf(more map[string]any) map[string]any {
	body := map[string]any{
		"messages": []any{map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": utterance}}}},
	}
	for k, v := range more {
		body[k] = v
	}
	return body
}

// requestScript sends a request whose agent performs the script.
func requestScript(w *world, name, script string, sameThread bool) error {
	return requestScriptTo(w, target.StreamRequest{}, name, script, sameThread)
}

// requestScriptTo is requestScript with the address in the request.
func requestScriptTo(w *world, to target.StreamRequest, name, script string, sameThread bool) error {
	more, err := scriptOf(script)
	if err != nil {
		return err
	}
	var before *turn
	if sameThread {
		if before, err = w.turnNamed("the request"); err != nil {
			return err
		}
		if more["threadId"], err = threadOf(before); err != nil {
			return before.where(err)
		}
		before.finish() // a server may take the next request when it is done with this one
	}
	err = w.requestShaped(name, requestOf(more), to)
	if err == nil && before != nil && before.over == nil {
		w.turns[len(w.turns)-1].concurrent = before
	}
	return err
}

// requestWhileBusy is requestScript on the thread of the latest request, which may still be active without a reader: a request that
// is refused with 409 is repeated.
func requestWhileBusy(w *world, name, script string) error {
	over := time.Now().Add(w.Session().Target().Timing().Deadline)
	for {
		if err := requestScript(w, name, script, true); err != nil {
			return err
		}
		v, err := w.turns[len(w.turns)-1].reader.Head()
		if err != nil || v.Status != 409 || time.Now().After(over) {
			return nil // the scenario checks the response
		}
		w.turns = w.turns[:len(w.turns)-1]
		w.Idle(quiet)
	}
}

// scriptOf returns the request members that make an agent perform a script. The error is that of a script that isn't JSON.
func scriptOf(script string) (map[string]any, error) {
	if !json.Valid([]byte(script)) {
		return nil, steps.Faultf("the script is not JSON: %s", script)
	}
	return map[string]any{"context": map[string]any{"conformance": map[string]any{"script": json.RawMessage(script)}}}, nil
}

// requestUntrusted is requestScript without the token that a script needs.
func requestUntrusted(w *world, on, script string) error {
	if !w.Session().Target().HasControlToken() {
		return &steps.Unprovable{Reason: "the config names no token of control calls (control.token)"}
	}
	more, err := scriptOf(script)
	if err == nil && on != "" {
		more["threadId"], err = w.latestThread()
	}
	if err != nil {
		return err
	}
	return w.requestShaped("", requestOf(more), target.StreamRequest{Untrusted: true})
}

// requestShaped makes a request in the names and shapes that the config gives the target.
func (w *world) requestShaped(name string, body any, r target.StreamRequest) error {
	r.Body = steps.Encode(body)
	_, err := w.request(name, r)
	return err
}

// requestBody sends a request with the given body. $thread in it is replaced by the threadId of the latest request that wasn't
// refused, $unheard by an unknown one, $action and $action2 by the actions of the latest response, $asked and $asked2 by
// those of the response to the request "asking".
func requestBody(w *world, name, body string, as target.User) error {
	for variable, value := range map[string]func() (string, error){
		"$thread": w.latestThread, "$unheard": func() (string, error) { return unusedThread(w), nil },
		"$asked": func() (string, error) { return actionOf(w, 1) }, "$asked2": func() (string, error) { return actionOf(w, 2) },
		"$action2": func() (string, error) { return action(w, 2) }, "$action": func() (string, error) { return action(w, 1) },
	} {
		quoted := `"` + variable + `"`
		if !strings.Contains(body, quoted) {
			continue
		}
		s, err := value()
		if err != nil {
			return err
		}
		body = strings.ReplaceAll(body, quoted, string(steps.Encode(s)))
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(body)); err != nil {
		return steps.Faultf("the request is not JSON: %v", err)
	}
	return w.requestShaped(name, json.RawMessage(compact.Bytes()), target.StreamRequest{As: as})
}

// unusedThread returns an id that no server has given to anything.
func unusedThread(w *world) string { return w.Session().NewName() }

func (w *world) latestThread() (string, error) {
	for _, t := range slices.Backward(w.turns) {
		if t.reader.Now().Status < 400 {
			id, err := threadOf(t)
			t.finish() // as above
			return id, t.where(err)
		}
	}
	return "", steps.Faultf("no request has a thread")
}

// action returns the nth action of the latest response with actions.
func action(w *world, n int) (string, error) {
	if w.Env().Unscripted != "" {
		return "", &steps.Unprovable{Reason: w.Env().Unscripted}
	}
	for i := len(w.turns) - 1; i >= 0; i-- {
		t := w.turns[i]
		if t.reader.Now().Status >= 400 {
			continue
		}
		if err := readToEnd(t); err != nil {
			return "", t.where(err)
		}
		if len(t.continuations()) > 0 {
			return t.action(n)
		}
	}
	return "", &steps.Failure{Finding: record.Finding{Message: "the responses so far", Want: "a continuation", Got: "none", Frame: -1}}
}

// actionOf returns the nth action of the response to the request "asking".
func actionOf(w *world, n int) (string, error) {
	if w.Env().Unscripted != "" {
		return "", &steps.Unprovable{Reason: w.Env().Unscripted}
	}
	t, err := w.turnNamed(`request "asking"`)
	if err != nil {
		return "", err
	}
	if err := readToEnd(t); err != nil {
		return "", t.where(err)
	}
	return t.action(n)
}

// action returns the nth action that a response asks for, by its id.
func (t *turn) action(n int) (string, error) {
	asked := t.continuations()
	if n > len(asked) || asked[n-1].text("actionId") == "" {
		return "", t.failure(fmt.Sprintf("%d continuations with an actionId", n), fmt.Sprintf("%d continuations", len(asked)), nil)
	}
	return asked[n-1].text("actionId"), nil
}

// continuations returns the continuations of a response.
func (t *turn) continuations() []*event {
	var out []*event
	for _, e := range t.events {
		if e.kind == "continuation" {
			out = append(out, e)
		}
	}
	return out
}

// release opens a barrier, at which a script waits or will wait.
func release(t *turn, barrier string) error {
	if err := t.scripted(); err != nil {
		return err
	}
	id, err := requestID(t)
	if err != nil {
		return err
	}
	t.released = time.Now()
	call, err := targetaep.Release(t.w.Session(), t.reader, id, barrier, false)
	if err != nil || call == nil {
		return err
	}
	if call.Now().Status/100 != 2 {
		return steps.Refused(call, "the release of barrier "+barrier)
	}
	return nil
}

func cancel(t *turn) error {
	if err := t.scripted(); err != nil {
		return err
	}
	id, err := requestID(t)
	if err != nil {
		return err
	}
	call, err := targetaep.Cancel(t.w.Session(), id, target.First)
	if err != nil {
		return err
	}
	switch status := call.Now().Status; {
	case slices.Contains([]int{404, 405, 501}, status) && !t.w.cancelsOthers():
		// The protocol has no request that cancels: a server without this one does nothing wrong.
		return &steps.Unprovable{Reason: fmt.Sprintf("the cancel route is not there: it answered %d to two requests that are live", status)}
	case status/100 != 2:
		return steps.Refused(call, "the cancellation")
	}
	return nil
}

// cancelsOthers reports whether the server accepts the cancellation of a request whose agent waits. If it does, the route is
// there, and a status that would say otherwise is about the request that was to be cancelled.
func (w *world) cancelsOthers() bool {
	other := &world{World: w.World, config: w.config, names: w.names}
	if requestScript(other, "", `[{"text": "One. "}, {"await": "b"}]`, false) != nil {
		return false
	}
	id, err := requestID(other.turns[0])
	if err != nil {
		return false
	}
	call, err := targetaep.Cancel(w.Session(), id, target.First)
	return err == nil && call.Now().Status/100 == 2
}

// cancelByOther sends cancellations that must have no effect; any answer is valid.
func cancelByOther(t *turn) error {
	if len(t.w.config.Other) == 0 {
		return &steps.Unprovable{Reason: "the config names no other user (aep.other)"}
	}
	id, err := requestID(t)
	if err != nil {
		return err
	}
	_, err = targetaep.Cancel(t.w.Session(), id, targetaep.Other)
	return err
}
