package run

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// state lists the mutants of state.
func state() []edit.Mutant {
	is := func(values ...string) on.Operating {
		return on.IfOperation(func(o on.Operation) bool { return slices.Contains(values, string(o.Value)) })
	}
	omit := func(o *on.Operation) { o.Value = nil }

	empty := runtime.Chunk{"patches": []runtime.Operation{}}

	again := func(w on.Operating) on.Operating { // on a member that was changed before
		all := on.IfOperation(func(on.Operation) bool { return true })
		return alter.Per(func(o on.Operation) string { return o.Agent + o.Path }, w.After(all))
	}

	return []edit.Mutant{
		// These write paths that are none.
		{Name: "tilde-unescaped", Requirement: "helix.state.pointers",
			Summary: "A tilde in a name stands in the path as it is.",
			Also:    []string{"helix.state.sum"},
			Apply:   on.Operations().Edit(func(o *on.Operation) { o.Path = strings.ReplaceAll(o.Path, "~0", "~") })},
		{Name: "path-as-property", Requirement: "helix.state.pointers",
			Summary: "The path of a member that is removed is written without its slash.",
			Also:    []string{"helix.state.sum"},
			Apply:   on.Operations(on.Op("remove")).Edit(func(o *on.Operation) { o.Path = strings.TrimPrefix(o.Path, "/") })},

		// These leave operands out. A value without bytes isn't written.
		{Name: "empty-replacement-omitted", Requirement: "helix.state.operands", Stateful: true,
			Summary: "Where a member is there already, a new value that is empty is left out.",
			Also:    []string{"helix.state.sum"},
			Apply:   on.Operations(on.Known(), is("null", "0", "false", `""`, "[]", "{}")).Edit(omit)},

		// These use the operations that few readers were tested with.
		{Name: "tests-before-replacing", Requirement: "helix.state.operations", Stateful: true,
			Summary: "The old value of a member is tested before it is replaced.",
			Apply: on.Operations(on.Op("replace"), on.Known()).To(func(_ *on.Producer, o on.Operation) []on.Operation {
				test := o
				test.Op, test.Value = "test", o.Before[o.Path]
				return []on.Operation{test, o}
			})},
		{Name: "copies-what-is-there", Requirement: "helix.state.operations", Stateful: true,
			Summary: "A value that another member of the same patch was given is copied from there.",
			Apply: on.Written(on.Type("state_patch")).
				With(func(c runtime.Chunk) { c["patches"] = withCopies(edit.Operations(c)) })},

		// These send patches that do nothing.
		{Name: "patch-of-undone", Requirement: "helix.state.empty-patch",
			Summary: "Changes of members that are gone at the end of the step are taken out, and what is left is sent.",
			Apply: on.Written(on.Type("state_patch"), on.If(func(c runtime.Chunk) bool { return undone(edit.Operations(c)) })).
				Set("patches", []runtime.Operation{})},
		{Name: "patch-with-every-resume", Requirement: "helix.state.empty-patch", Stateful: true,
			Summary: "A run that goes on sends a patch with what changed meanwhile, which is nothing.",
			Also:    []string{"helix.runs.step"},
			Apply:   on.Written(on.Type("run_resumed")).FollowWith("state_patch", empty)},

		// These hold operations that don't apply.
		{Name: "removes-twice", Requirement: "helix.state.applicable",
			Summary: "A member is removed by the tool that deletes it, and again by the one that compares.",
			Also:    []string{"helix.state.sum"},
			Apply:   on.Operations(on.Op("remove")).Repeat()},
		{Name: "list-taken-for-granted", Requirement: "helix.state.applicable", Stateful: true,
			Summary: "A list that was there once isn't made again before something is appended to it.",
			Also:    []string{"helix.state.sum", "helix.state.after-resync"},
			Apply:   on.Operations(again(on.Op("add").And(on.IfOperation(func(o on.Operation) bool { return string(o.Value) == "[]" })))).Drop()},
	}
}

func isItem(o runtime.Operation) bool { return strings.HasSuffix(o.Path, "/-") }

// moved is an operation with from, which no other mutant writes.
type moved struct {
	Op   string `json:"op"`
	From string `json:"from"`
	Path string `json:"path"`
}

// withCopies makes copies of values that an operation before has written, unless the member was changed since.
func withCopies(all []runtime.Operation) []any {
	values := map[string]string{} // path by value
	written := make([]any, 0, len(all))
	for _, o := range all {
		for value, path := range values {
			if path == o.Path || isItem(o) && path == strings.TrimSuffix(o.Path, "/-") {
				delete(values, value)
			}
		}
		from, there := values[string(o.Value)]
		switch {
		case o.Op != "remove" && there && !isItem(o):
			written = append(written, moved{Op: "copy", From: from, Path: o.Path})
			continue
		case o.Op != "remove" && !isItem(o):
			values[string(o.Value)] = o.Path
		}
		written = append(written, o)
	}
	return written
}

// undone reports whether operations add members and remove them all again.
func undone(all []runtime.Operation) bool {
	there := map[string]bool{}
	for _, o := range all {
		switch path := strings.TrimSuffix(o.Path, "/-"); {
		case o.Op == "replace" || o.Op == "remove" && !there[path]:
			return false
		case o.Op == "remove":
			delete(there, path)
		default:
			there[path] = true
		}
	}
	return len(there) == 0
}
