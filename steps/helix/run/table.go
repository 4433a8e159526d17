package run

import (
	"encoding/json"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps/helix/world"

	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/steps"
)

// tableSteps registers the sentences for the table of run transitions: calls while several tool calls wait, calls that
// may be refused, and the stream status that follows from the state of a run.
func tableSteps(v *steps.Sentences[*world.World]) {
	steps.Both(func(k features.Keyword) {
		steps.Step2(v, k, `^the call of "([^"]+)" is (approved|denied)$`, func(w *world.World, tool, decision string) error {
			return answerCall(w, tool, map[string]any{"approved": decision == "approved"})
		})
		steps.Step2(v, k, `^the result (.+) of the call of "([^"]+)" is handed in$`, func(w *world.World, result, tool string) error {
			if !json.Valid([]byte(result)) {
				return steps.Faultf("%s is not JSON", result)
			}
			return answerCall(w, tool, map[string]any{"result": json.RawMessage(result)})
		})
		steps.Step0(v, k, `^an interruption of the run is asked for$`, func(w *world.World) error {
			return trySteer(w, "interrupt", map[string]any{})
		})
		steps.Step0(v, k, `^the run is resumed from the checkpoint that run_interrupted names$`, resumeFromInterruption)
		steps.Step1(v, k, `^the call (retry|rollback|branch|interrupt|resume|supersede) of the run is asked for$`, tryCall)
	})
	steps.Step1(v, features.Then, `^the call is done, or leaves the stream of the run (active|paused|ended|failed)$`, doneOrUnchanged)
	steps.Step1(v, features.Then, `^the stream of the run is (active|paused|ended|failed)$`, streamOfRunIs)
	steps.Step1(v, features.Then, `^for `+world.AClient+` a run_resumed follows every pause$`, pausesResumed)
}

// answerCall answers a waiting call of a tool. Other calls may wait too.
func answerCall(w *world.World, tool string, body map[string]any) error {
	if err := settled(w); err != nil {
		return err
	}
	id, err := openCall(w, tool)
	if err != nil {
		if _, none := openCall(w, ""); none == nil {
			return &steps.Unprovable{Reason: "the server asks for one call at a time, and another one came first"}
		}
		return err
	}
	body["toolCallId"] = id
	return steer(w, "tool-result", body)
}

// resumeFromInterruption resumes the run from the checkpoint that the last run_interrupted names.
func resumeFromInterruption(w *world.World) error {
	c, err := Survey(w)
	if err != nil {
		return err
	}
	id := ""
	for _, m := range c.Got {
		if m.Member("type") == "run_interrupted" {
			id, _ = m.Member("checkpointId").(string)
		}
	}
	if id == "" {
		return c.Failure("a run_interrupted that names a checkpoint", Types(c.Got), nil)
	}
	return steer(w, "resume", map[string]any{"mode": "continue", "fromCheckpointId": id})
}

// streamOfRunIs waits until StreamInfo has the status that follows from the state of the settled run. A call may be
// accepted before it has any effect.
func streamOfRunIs(w *world.World, want string) error {
	if err := settled(w); err != nil {
		return err
	}
	began := time.Now()
	for {
		call, err := targethelix.GetInfo(w.Session(), target.DocumentRequest{Stream: world.Get[*Run](w).Stream.ID, Hidden: true})
		if err != nil {
			return err
		}
		var info struct {
			Status string `json:"status"`
		}
		v := call.Now()
		if v.Status == 200 && json.Unmarshal(v.Answer, &info) == nil && info.Status == want {
			w.Saw(1)
			return nil
		}
		if w.Session().Target().Overdue(began) {
			return &steps.Failure{
				Finding:  record.Finding{Message: steps.TimedOut, Want: "StreamInfo with the status " + want, Got: steps.Clip(v.Answer), Frame: -1},
				Exchange: call,
			}
		}
		w.Watch(10 * time.Millisecond)
	}
}

// pausesResumed checks that a run_resumed follows each run_paused. A run without run_paused proves nothing.
func pausesResumed(w *world.World, who string) error {
	return EachEntire(w, who, func(c *world.Client) error {
		var paused *world.Message
		for _, m := range c.Got {
			switch m.Member("type") {
			case "run_paused":
				paused = m
			case "run_resumed":
				if paused != nil {
					w.Saw(1)
				}
				paused = nil
			}
		}
		if paused != nil {
			return c.Failure("a run_resumed after each run_paused", steps.Clip(paused.Chunk), paused)
		}
		return nil
	})
}

// tryCall makes a call that steers the run, from its latest checkpoint where the call names one. A server that keeps no run
// that is over may answer 404.
func tryCall(w *world.World, how string) error {
	r, err := Of(w)
	if err != nil {
		return err
	}
	body := map[string]any{}
	switch how {
	case "resume":
		body["mode"] = "continue"
	case "rollback", "branch":
		if body["checkpointId"], err = checkpointOf(w, 0); err != nil {
			return err
		}
	}
	if how != "interrupt" {
		w.Session().Removed(r.Stream.ID) // what an abandoned step wrote may go
	}
	r.Call, err = w.Call("POST", "/runs/"+target.EscapeSegment(r.ID)+"/"+how, steps.Encode(body), true)
	return err
}

// doneOrUnchanged accepts any effect of a call that was accepted, and none of a call that was refused.
func doneOrUnchanged(w *world.World, status string) error {
	r, err := Of(w)
	if err != nil {
		return err
	}
	if r.Call == nil {
		return steps.Faultf("no call was made that could be refused")
	}
	if r.Call.Now().Status/100 == 2 {
		w.Saw(1)
		return nil
	}
	return streamOfRunIs(w, status)
}
