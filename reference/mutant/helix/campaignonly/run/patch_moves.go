package run

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// onePosition is the end of a pointer to an item of a list.
var onePosition = regexp.MustCompile(`/[0-9]+"$`)

// patchMoves lists mutants that execute the move operations of patches with another target.
func patchMoves() []edit.Mutant {
	return []edit.Mutant{
		{Name: "move-copies-before-it-removes", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.complete"},
			Summary: "A move within a list copies the item first and then removes what is at its old place, where another one may stand by then.",
			Apply: on.Log(func(_ store.Mark, log *store.Log) {
				log.Events = slices.Clone(log.Events)
				for i := range log.Events {
					log.Events[i].Chunk.JSON = edit.Chunk(log.Events[i].Chunk.JSON, func(kind string, m alter.Object) bool {
						var operations []map[string]json.RawMessage
						if kind != "state_patch" || json.Unmarshal(m["patches"], &operations) != nil {
							return false
						}
						all := make([]map[string]json.RawMessage, 0, len(operations))
						for _, o := range operations {
							all = append(all, o)
							if path, from := string(o["path"]), string(o["from"]); string(o["op"]) == `"move"` && path != from &&
								onePosition.ReplaceAllString(path, "") == onePosition.ReplaceAllString(from, "") {
								o["op"] = json.RawMessage(`"copy"`)
								all = append(all, map[string]json.RawMessage{"op": json.RawMessage(`"remove"`), "path": o["from"]})
							}
						}
						m["patches"] = alter.Encode(all)
						return len(all) > len(operations)
					})
				}
			})},
	}
}
