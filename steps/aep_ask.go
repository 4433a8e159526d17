package steps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
)

// utterance is what the user of a request says where it doesn't matter.
const utterance = "Plan the trip"

func askSteps(v *Vocabulary) {
	both(func(k features.Keyword) {
		doc1(v, k, `^a request with this script:$`, func(w *World, script string) error { return w.askScript("", script, false) })
		doc2(v, k, `^request "([^"]+)" with this script:$`, func(w *World, name, script string) error {
			return w.askScript(name, script, false)
		})
		doc2(v, k, `^request "([^"]+)" on the same thread with this script:$`, func(w *World, name, script string) error {
			return w.askScript(name, script, true)
		})
		doc1(v, k, `^this request:$`, func(w *World, body string) error { return w.askBody("", body, target.First) })
		doc2(v, k, `^request "([^"]+)":$`, func(w *World, name, body string) error { return w.askBody(name, body, target.First) })
		step1(v, k, `^`+aTurn+` has begun$`, onTurn(func(t *turn) error {
			_, err := t.metadata()
			return err
		}))
		step1(v, k, `^`+aTurn+` has been answered$`, onTurn((*turn).whole))
		step2(v, k, `^the agent of `+aTurn+` passes "([^"]+)"$`, onTurn2((*turn).release))
		step2(v, k, `^the agent of `+aTurn+` passes "([^"]+)", if it is still known$`, onTurn2(func(t *turn, barrier string) error {
			// Who was cancelled needn't wait any more.
			if err := t.release(barrier); err != nil && !isUnavailable(err) {
				return err
			}
			return nil
		}))
		step1(v, k, `^`+aTurn+` is cancelled$`, onTurn((*turn).cancel))
		step1(v, k, `^`+aTurn+` is cancelled by the other user$`, onTurn((*turn).cancelByOther))
		step1(v, k, `^the reader of `+aTurn+` leaves$`, onTurn(func(t *turn) error {
			t.reader.Cut()
			t.w.idle(quiet) // a server notices in its own time, and nothing says when
			return nil
		}))
	})
	doc1(v, features.When, `^this request of the other user:$`, func(w *World, body string) error { return w.askBody("", body, target.Other) })
	oddAskSteps(v)
}

func oddAskSteps(v *Vocabulary) {
	plain := func() []byte { return encode(requestOf(nil)) }
	step0(v, features.When, `^a request without its credential$`, func(w *World) error {
		_, err := w.ask("", target.AskRequest{Body: plain(), As: target.Nobody})
		return err
	})
	step0(v, features.When, `^a request with another credential$`, func(w *World) error {
		_, err := w.ask("", target.AskRequest{Body: plain(), As: target.WrongToken})
		return err
	})
	step0(v, features.When, `^a request with secrets, on a thread that never was$`, func(w *World) error {
		_, err := w.ask("", target.AskRequest{Body: encode(requestOf(map[string]any{"threadId": w.unheard()})), Headers: secrets()})
		return err
	})
	step1(v, features.When, `^a request with the Last-Event-ID `+text+`$`, func(w *World, id string) error {
		var cursor string
		if err := json.Unmarshal([]byte(id), &cursor); err != nil {
			return fault("%s is not a JSON string", id)
		}
		_, err := w.ask("", target.AskRequest{Body: plain(), Headers: map[string]string{"Last-Event-ID": cursor}})
		return err
	})
	step1(v, features.When, `^a request with the body `+text+`$`, func(w *World, body string) error {
		var raw string
		if err := json.Unmarshal([]byte(body), &raw); err != nil {
			return fault("%s is not a JSON string", body)
		}
		_, err := w.ask("", target.AskRequest{Body: []byte(raw)})
		return err
	})
	step1(v, features.When, `^a request with a message (of|beyond) the largest size$`, (*World).askLarge)
	step0(v, features.When, `^the limited user makes every request that it may, and one more$`, (*World).askOften)
}

func isUnavailable(err error) bool {
	_, is := target.IsUnavailable(err)
	return is
}

// requestOf is a request of one message, and what else it has.
func requestOf(more map[string]any) map[string]any {
	body := map[string]any{
		"messages": []any{map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": utterance}}}},
	}
	for k, v := range more {
		body[k] = v
	}
	return body
}

// askScript makes a request whose agent does what the script says.
func (w *World) askScript(name, script string, sameThread bool) error {
	if !json.Valid([]byte(script)) {
		return fault("the script is not JSON: %s", script)
	}
	more := map[string]any{"context": map[string]any{"conformance": map[string]any{"script": json.RawMessage(script)}}}
	if sameThread {
		before, err := w.turnNamed("the request")
		if err != nil {
			return err
		}
		if more["threadId"], err = before.thread(); err != nil {
			return before.where(err)
		}
	}
	_, err := w.ask(name, target.AskRequest{Body: encode(requestOf(more))})
	return err
}

// askBody makes a request with a body of its own. $thread in it stands for the
// thread of the latest request, $unheard for one that never was, $action and
// $action2 for what that response asked the client to do.
func (w *World) askBody(name, body string, as target.User) error {
	for variable, value := range map[string]func() (string, error){
		"$thread": w.latestThread, "$unheard": func() (string, error) { return w.unheard(), nil },
		"$action2": func() (string, error) { return w.action(2) }, "$action": func() (string, error) { return w.action(1) },
	} {
		quoted := `"` + variable + `"`
		if !strings.Contains(body, quoted) {
			continue
		}
		s, err := value()
		if err != nil {
			return err
		}
		body = strings.ReplaceAll(body, quoted, string(encode(s)))
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(body)); err != nil {
		return fault("the request is not JSON: %v", err)
	}
	_, err := w.ask(name, target.AskRequest{Body: compact.Bytes(), As: as})
	return err
}

// unheard is an id that no server has given to anything.
func (w *World) unheard() string { return w.session.NewName() }

func (w *World) latestThread() (string, error) {
	t, err := w.turnNamed("the request")
	if err != nil {
		return "", err
	}
	id, err := t.thread()
	return id, t.where(err)
}

// action is the nth action that the latest response with actions asked for.
func (w *World) action(n int) (string, error) {
	if w.env.Unscripted != "" {
		return "", &Unprovable{w.env.Unscripted}
	}
	for i := len(w.turns) - 1; i >= 0; i-- {
		t := w.turns[i]
		if t.reader.Now().Status >= 400 {
			continue
		}
		if err := t.whole(); err != nil {
			return "", t.where(err)
		}
		asked := t.asked()
		if len(asked) == 0 {
			continue
		}
		if n > len(asked) || asked[n-1].text("actionId") == "" {
			return "", t.failure(fmt.Sprintf("%d continuations with an actionId", n), fmt.Sprintf("%d continuations", len(asked)), nil)
		}
		return asked[n-1].text("actionId"), nil
	}
	return "", &Failure{Message: "the responses so far", Want: "a continuation", Got: "none", Frame: -1}
}

// asked are the continuations of a response.
func (t *turn) asked() []*told {
	var out []*told
	for _, e := range t.events {
		if e.kind == "continuation" {
			out = append(out, e)
		}
	}
	return out
}

// release lets a script go on that waits at a barrier, or will.
func (t *turn) release(barrier string) error {
	if err := t.scripted(); err != nil {
		return err
	}
	id, err := t.id()
	if err != nil {
		return err
	}
	call, err := t.w.session.Call("POST", "/aep/release", encode(map[string]any{"requestId": id, "barrier": barrier}), false)
	if err != nil {
		return err
	}
	if call.Now().Status/100 != 2 {
		return refused(call, "the release of barrier "+barrier)
	}
	return nil
}

func (t *turn) cancel() error {
	if err := t.scripted(); err != nil {
		return err
	}
	id, err := t.id()
	if err != nil {
		return err
	}
	call, err := t.w.session.Cancel(id, target.First)
	if err != nil {
		return err
	}
	if call.Now().Status/100 != 2 {
		return refused(call, "the cancellation")
	}
	return nil
}

// cancelByOther tries what mustn't work; how it is answered is free.
func (t *turn) cancelByOther() error {
	if len(t.w.session.Target().AEP().Other) == 0 {
		return &Unprovable{"the config names no other user (aep.other)"}
	}
	id, err := t.id()
	if err != nil {
		return err
	}
	_, err = t.w.session.Cancel(id, target.Other)
	return err
}

// askLarge makes a request whose only message has the largest size, or one byte
// more.
func (w *World) askLarge(how string) error {
	size := w.session.Target().AEP().Message
	if size == 0 {
		return &Unprovable{"the config doesn't say how large a message may be (aep.message)"}
	}
	if how == "beyond" {
		size++
	}
	before, after, _ := bytes.Cut(encode(requestOf(nil)), []byte(utterance))
	body := append(append(append([]byte{}, before...), bytes.Repeat([]byte{'x'}, int(size))...), after...)
	_, err := w.ask("", target.AskRequest{Body: body})
	return err
}

// askOften makes as many requests as the limited user may, one after the other,
// and one more.
func (w *World) askOften() error {
	limits := w.session.Target().AEP()
	if limits.Requests == 0 || len(limits.Limited) == 0 {
		return &Unprovable{"the config names no user whose rate is limited (aep.limited and aep.requests)"}
	}
	for range limits.Requests + 1 {
		t, err := w.ask("", target.AskRequest{Body: encode(requestOf(nil)), As: target.Limited})
		if err != nil {
			return err
		}
		if _, err := t.reader.Ended(); err != nil {
			return t.where(err)
		}
	}
	return nil
}
