package play

import (
	"cmp"
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"
)

// unknownID is an id that no server has returned.
const unknownID = "nobody-has-this-id"

// makeInvalidCalls makes a call that the run's state doesn't allow, another one each time, and checks that it had no effect.
func (p runs) makeInvalidCalls(s *stream) error {
	c := s.runProgress
	if c.Status() == runmodel.Running || c.Over() {
		if err := p.resumeTwice(c); err != nil {
			return err
		}
	}
	p.invalidCalls++
	how, body := p.invalidCall(s)
	if how == "" {
		return nil
	}
	_, accepted, err := p.calls.control("helix.runs.refused", "POST", c.path(how), body, false)
	if err != nil {
		return err
	}
	if accepted && how != "tool-result" && how != "release" {
		return campaign.ErrUnknown // no rule says what it does
	}
	if c.Over() {
		return nil // the reads at the end check it
	}
	return p.outputs.inspect(s, false)
}

// resumeTwice resumes a run that isn't interrupted.
func (p runs) resumeTwice(c *runProgress) error {
	call, accepted, err := p.calls.control("helix.runs.refused", "POST", c.path("resume"), map[string]any{"mode": "meddle"}, false)
	if err != nil {
		return err
	}
	if accepted {
		return campaign.Broken(call, "helix.runs.refused", "4xx", fmt.Sprint(call.Now().Status), "a run that is %s was resumed", c.Status())
	}
	p.occasionCounts["helix.runs.refused"]++
	return nil
}

// invalidCall returns a call that must be refused or change nothing: an answer to a finished call, to one of another run or
// to none, an unknown checkpoint, an interruption or a return of a finished run, another executor for an interrupted
// run, a barrier at which no call waits.
func (p runs) invalidCall(s *stream) (how string, body map[string]any) {
	c := s.runProgress
	id := ended(c)
	if p.invalidCalls%3 == 2 {
		id = unknownID
		if other := p.streams[(p.invalidCalls/3)%len(p.streams)]; other != s && other.runProgress != nil {
			id = ended(other.runProgress)
		}
	}
	if open(c, id) { // ids of calls are only unique within an agent
		id = unknownID
	}
	if again := namesake(c); again != "" && c.Status() == runmodel.Paused && p.invalidCalls%2 == 1 { // a second decision isn't one for the next call
		return "tool-result", map[string]any{"toolCallId": again, "approved": true}
	}
	if c.Status() == runmodel.Paused && p.invalidCalls%4 == 1 { // may be accepted in any state
		return "release", map[string]any{"barrier": unknownID}
	}
	if c.Status() == runmodel.Paused && p.invalidCalls%4 == 3 {
		return "tool-result", map[string]any{"toolCallId": cmp.Or(id, unknownID), "approved": p.invalidCalls%8 == 3}
	}
	if c.Status() == runmodel.Interrupted && p.invalidCalls%2 == 1 && p.target.Claims(program.Needs[program.Supersede]) {
		return "supersede", map[string]any{}
	}
	switch p.invalidCalls % 5 {
	case 0, 1:
		if id == "" {
			return "", nil
		}
		if p.invalidCalls%5 == 0 {
			return "tool-result", map[string]any{"toolCallId": id, "approved": p.invalidCalls%2 == 0}
		}
		return "tool-result", map[string]any{"toolCallId": id, "result": "late"}
	case 2:
		if all := c.Checkpoints(); c.Over() && len(all) > 0 {
			return "rollback", map[string]any{"checkpointId": all[0]}
		}
		return "rollback", map[string]any{"checkpointId": unknownID}
	case 3:
		if c.Status() != runmodel.Running && c.Status() != runmodel.Paused {
			return "interrupt", map[string]any{}
		}
		return "branch", map[string]any{"checkpointId": unknownID}
	}
	if c.Status() == runmodel.Interrupted {
		return "resume", map[string]any{"mode": "meddle", "fromCheckpointId": unknownID}
	}
	return "retry", map[string]any{"checkpointId": unknownID}
}

// ended returns the toolCallId of a finished call, "" if there is none.
func ended(c *runProgress) (id string) {
	for _, l := range c.log {
		if l.Text("type") == "tool_end" {
			id = l.Text("toolCallId")
		}
	}
	return id
}

// namesake returns the toolCallId of a finished call of a tool with a later call that isn't finished; "" if there is none.
func namesake(c *runProgress) string {
	over, open := map[string]string{}, ""
	for _, l := range c.log {
		switch name := l.Text("toolName"); l.Text("type") {
		case "tool_end":
			over[name], open = l.Text("toolCallId"), ""
		case "tool_start":
			open = name
		}
	}
	return over[open]
}

// open reports whether a call of that id works or waits.
func open(c *runProgress, id string) (open bool) {
	for _, l := range c.log {
		if l.Text("toolCallId") == id {
			open = l.Text("type") != "tool_end"
		}
	}
	return open
}
