package helix

import (
	"bytes"

	"github.com/streamcert/streamcert/runner/crosscheck"
	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/record"
)

// crosschecks returns the ids that must be unique across sessions. Ids in chunks that a scenario wrote itself are chosen by the
// scenario.
func crosschecks() crosscheck.Rules {
	return crosscheck.Rules{Isolation: "helix.security.isolation", IDs: func(e *record.Exchange, see func(requirement, name, id string)) {
		if e.Kind != record.Read || e.Origin != record.Produced {
			return
		}
		for _, f := range e.Frames {
			if !bytes.Contains(f.Data, []byte("checkpoint_created")) && !bytes.Contains(f.Data, []byte("subagent_start")) {
				continue
			}
			event, _ := frame.Decode(f.Data)
			id, agent := event.Text("checkpointId"), event.Text("subSessionId")
			switch kind := event.Text("type"); {
			case kind == "checkpoint_created" && id != "":
				see("helix.checkpoints.unique", "checkpointId", id)
			case kind == "subagent_start" && agent != "":
				see("helix.subagents.unique", "subSessionId", agent)
			}
		}
	}}
}
