package helix

import (
	"fmt"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// state lists the variants of state.
func state() []Variant {
	toKnownList := on.IfOperation(func(o on.Operation) bool {
		_, there := o.Before.Items(o.List())
		return there
	})

	return []Variant{
		// These use other operations.
		{Name: "append-by-index", Freedom: "an appended item", Warns: []string{"helix.state.append"},
			Summary: "An item is added at the index that it gets, by a server whose steps are one transaction each.",
			Apply: on.Operations(on.Appends(), toKnownList).Edit(func(o *on.Operation) {
				items, _ := o.Before.Items(o.List())
				o.Path = fmt.Sprintf("%s/%d", o.List(), len(items))
			})},
		{Name: "append-sends-list", Freedom: "an appended item", Warns: []string{"helix.state.append"},
			Summary: "Appending replaces the list, by a server that compares two states.",
			Apply: on.Operations(on.Appends(), toKnownList).Edit(func(o *on.Operation) {
				o.Op, o.Path, o.Value = "replace", o.List(), o.Before.With(o.List(), o.Value)
			})},
		{Name: "tests-and-moves", Freedom: "operations of a patch", Warns: []string{"helix.state.operations"},
			Summary: "A member is tested before it is replaced, and moved to a place of its own before that is removed.",
			Apply: on.Operations(on.Op("replace").And(on.Known()).Or(on.Op("remove"))).To(func(_ *on.Producer, o on.Operation) []on.Operation {
				const bin = "/deleted for good"
				first := o
				if o.Op == "replace" {
					first.Op, first.Value = "test", o.Before[o.Path]
				} else {
					first.Op, first.From, first.Path, o.Path = "move", o.Path, bin, bin
				}
				return []on.Operation{first, o}
			})},

		// These use more operations, or more patches.
		{Name: "sets-by-removing", Freedom: "helix.state.sum",
			Summary: "A member that is there is removed before it is added with its new value.",
			Apply: on.Operations(on.Op("replace")).To(func(_ *on.Producer, o on.Operation) []on.Operation {
				remove := o
				remove.Op, remove.Value, o.Op = "remove", nil, "add"
				return []on.Operation{remove, o}
			})},
		{Name: "patch-for-each-change", Freedom: "helix.state.sum",
			Summary: "Each change of a step is a patch of its own.",
			Apply: on.Written(on.Type("state_patch")).To(func(_ *on.Producer, c runtime.Chunk) (chunks []runtime.Chunk) {
				all, _ := c["patches"].([]runtime.Operation)
				for _, o := range all {
					one := c.Clone()
					one["patches"] = []runtime.Operation{o}
					chunks = append(chunks, one)
				}
				return chunks
			})},
	}
}
