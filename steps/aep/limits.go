package aep

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
	"github.com/streamcert/streamcert/steps"
)

func limitSteps(v *steps.Sentences[*world]) {
	steps.Both(func(k features.Keyword) {
		steps.Doc2(v, k, `^a request( on the same thread)? to an agent whose streams time out, with this script:$`, requestTimed)
		steps.Step1(v, k, `^half of the time-out of `+aTurn+` passes$`, onTurn(waitsHalf))
	})
	steps.Step2(v, features.When, `^a request with a message (of|beyond) the largest size(?:, (in letters of two bytes|in two blocks|behind another one))?$`, requestLarge)
	steps.Step1(v, features.When, `^the limited user makes every request that it may, and (one|two) more$`, requestOften)
	steps.Step1(v, features.Then, `^the last two requests are refused with (\d+)$`, lastRefused)
	steps.Step2(v, features.Then, `^`+ofTurn+` times out with the error `+steps.JSONString+`$`, onTurn2(timesOut))
	steps.Step2(v, features.Then, `^`+ofTurn+` times out with the error `+steps.JSONString+`, and no sooner than it may$`, onTurn2(timesOutAfterDeadline))
}

// lastRefused checks both requests beyond a limit: the first one doesn't restore the allowance.
func lastRefused(w *world, status string) error {
	if len(w.turns) < 2 {
		return steps.Faultf("fewer than two requests were made")
	}
	for _, t := range w.turns[len(w.turns)-2:] {
		if err := t.where(isRefusedWith(t, status)); err != nil {
			return err
		}
	}
	return nil
}

// streamTimeout returns the time after which the server ends a stream.
func (w *world) streamTimeout() (time.Duration, error) {
	if w.config.StreamTimeout == 0 {
		return 0, &steps.Unprovable{Reason: "the config doesn't say after which time a stream ends (aep.streamTimeout)"}
	}
	return w.config.StreamTimeout, nil
}

// waitsHalf waits for half of the time-out, or the remaining time of the response.
func waitsHalf(t *turn) error {
	limit, err := t.w.streamTimeout()
	if err != nil {
		return err
	}
	t.reader.Silent(limit / 2)
	return nil
}

// timesOut waits as long as the server lets a stream hang. Where nothing was sent
// before, an HTTP error states it as well.
func timesOut(t *turn, text string) error {
	t.hangs = true
	limit, err := t.w.streamTimeout()
	if err != nil {
		return err
	}
	// Plus the deadline: a server may check its clock only now and then.
	most := limit + limit/2 + t.w.Session().Target().Timing().Deadline
	v, ended := t.reader.EndedWithin(most)
	if !ended {
		f := t.failure(fmt.Sprintf("the end of the response after %v (aep.streamTimeout)", limit), fmt.Sprintf("an open one after %v", most), nil)
		f.Requirement = "aep.errors.timeout" // also in a scenario of another rule: a stream that doesn't end isn't ended too early
		return f
	}
	if v.Status != 200 && v.Status != 501 {
		if v.Status != 504 {
			return t.failure("504, or a stream that ends with the error "+text, strconv.Itoa(v.Status), nil)
		}
		t.w.NoteAlternative()
		t.w.Saw(1)
		return nil
	}
	return endsWithError(t, text)
}

// timesOutAfterDeadline checks that a stream had its time, from its beginning or, if the config declares it, from the agent's last
// output. The measured time is never less than the server's.
func timesOutAfterDeadline(t *turn, text string) error {
	from, limit := t.began, t.w.config.StreamTimeout
	if t.w.config.IdleTimeout {
		if !t.released.IsZero() {
			from = t.released
		}
		if from.Sub(t.began) > limit*3/4 {
			return &steps.Unprovable{Reason: "the agent spoke too late to tell one time-out from the other"}
		}
	}
	if err := timesOut(t, text); err != nil {
		return err
	}
	if took := time.Since(from); took < limit*3/4 { // a clock may be coarse
		return t.failure(fmt.Sprintf("no end before %v (aep.streamTimeout)", limit), fmt.Sprintf("the end after %v", took.Round(time.Millisecond)), t.over)
	}
	return nil
}

// requestTimed is requestScript for the agent whose streams the server ends soon.
func requestTimed(w *world, onThread, script string) error {
	to := target.StreamRequest{PathValues: map[string]string{"agent": w.config.TimedAgent()}}
	err := requestScriptTo(w, to, "", script, onThread != "")
	if err == nil {
		w.turns[len(w.turns)-1].hangs = true
	}
	return err
}

// requestLarge sends a request whose last message has the largest size, or one byte more. It is the only message unless put
// names another before it.
func requestLarge(w *world, how, put string) error {
	size := int(w.config.Message)
	if size == 0 {
		return &steps.Unprovable{Reason: "the config doesn't say how large a message may be (aep.message)"}
	}
	if how == "beyond" {
		size++
	}
	texts := []string{strings.Repeat("x", size)}
	switch put {
	case "in letters of two bytes":
		texts = []string{strings.Repeat("é", size/2) + strings.Repeat("x", size%2)}
	case "in two blocks":
		texts = []string{texts[0][:size/2], texts[0][size/2:]}
	}
	blocks := []any{}
	for _, text := range texts {
		blocks = append(blocks, map[string]any{"type": "text", "text": text})
	}
	messages := []any{map[string]any{"role": "user", "content": blocks}}
	if put == "behind another one" {
		small := map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": "x"}}}
		messages = append([]any{small}, messages...)
	}
	return w.requestShaped("", map[string]any{"messages": messages}, target.StreamRequest{})
}

// requestOften makes as many requests as the limited user may, one after the other,
// and one or two more.
func requestOften(w *world, more string) error {
	limits := w.config
	if limits.Requests == 0 || len(limits.Limited) == 0 {
		return &steps.Unprovable{Reason: "the config names no user whose rate is limited (aep.limited and aep.requests)"}
	}
	number := map[string]int{"one": 1, "two": 2}
	for range limits.Requests + number[more] {
		t, err := w.request("", target.StreamRequest{Body: steps.Encode(requestOf(nil)), As: targetaep.Limited})
		if err != nil {
			return err
		}
		if _, err := t.reader.Ended(); err != nil {
			return t.where(err)
		}
	}
	return nil
}
