package helix

import (
	"bytes"
	"encoding/json"

	"github.com/streamcert/streamcert/runner/crosscheck"
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
			var frame struct {
				Chunk struct {
					Type         string `json:"type"`
					CheckpointID string `json:"checkpointId"`
					SubSessionID string `json:"subSessionId"`
				} `json:"chunk"`
			}
			if json.Unmarshal(f.Data, &frame) != nil {
				continue
			}
			switch c := frame.Chunk; {
			case c.Type == "checkpoint_created" && c.CheckpointID != "":
				see("helix.checkpoints.unique", "checkpointId", c.CheckpointID)
			case c.Type == "subagent_start" && c.SubSessionID != "":
				see("helix.subagents.unique", "subSessionId", c.SubSessionID)
			}
		}
	}}
}
