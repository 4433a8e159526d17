package run

import (
	"fmt"
	"sync/atomic"
	"time"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// repeatedIDs give an id a second time after many others, which only a run of many scenarios shows.
func repeatedIDs() []edit.Mutant {
	return []edit.Mutant{
		{Name: "checkpoint-ids-of-a-byte", Requirement: "helix.checkpoints.unique", Stateful: true, AcrossScenarios: true,
			Summary: "The number of a checkpoint is kept in a byte, and begins anew.",
			Apply: on.OnIDs(func(_ runtime.IDs, i *on.IDs) {
				var n atomic.Uint32
				i.OnCheckpoint = func(string, int, time.Time) string { return fmt.Sprint("checkpoint-", n.Add(1)%256) }
			})},
		{Name: "session-ids-begin-anew", Requirement: "helix.subagents.unique", Stateful: true, AcrossScenarios: true,
			Summary: "Every 300th session has the id of the first again, those of sub-agents among them.",
			Apply: on.OnIDs(func(inner runtime.IDs, i *on.IDs) {
				var n atomic.Uint32
				i.OnNew = func(kind string) string {
					if kind == "session" {
						return fmt.Sprint("session-", n.Add(1)%300)
					}
					return inner.New(kind)
				}
			})},
	}
}
