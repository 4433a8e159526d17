package run

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// stateSum lists the mutants of state sum.
func stateSum() []edit.Mutant {
	begins := on.Type("subagent_start").And(on.ByChild().Not())

	return []edit.Mutant{
		// These add up to another state.
		{Name: "delete-is-null", Requirement: "helix.state.sum",
			Summary: "Deleting a member sets it to null.",
			Apply:   on.Operations(on.Op("remove")).Edit(func(o *on.Operation) { o.Op, o.Value = "replace", json.RawMessage("null") })},
		{Name: "null-is-delete", Requirement: "helix.state.sum",
			Summary: "Setting a member to null deletes it, or does nothing if it isn't there.",
			Apply: on.Operations(on.Appends().Not(), on.IfOperation(func(o on.Operation) bool { return string(o.Value) == "null" })).
				To(func(_ *on.Producer, o on.Operation) []on.Operation {
					if o.Op != "replace" {
						return nil
					}
					o.Op, o.Value = "remove", nil
					return []on.Operation{o}
				})},
		{Name: "third-patch-twice", Requirement: "helix.state.sum", Stateful: true,
			Summary: "The third patch of an agent is written by the tool and by the step that commits it, unless it deletes.",
			Also:    []string{"helix.state.append", "helix.state.after-resync", "helix.snapshot.complete"},
			Apply: on.Written(on.Per("agentId", on.Type("state_patch").Nth(3)),
				on.If(func(c runtime.Chunk) bool { return !slices.ContainsFunc(edit.Operations(c), deletes) })).Copied()},
		{Name: "patches-until-interrupt", Requirement: "helix.state.sum", Stateful: true,
			Summary: "The changes of a run that was taken up again are saved, but not sent.",
			Also:    []string{"helix.checkpoints.discarded"},
			Apply:   on.Written(on.Type("state_patch").Since(on.Type("run_resumed").Since(on.Type("run_interrupted")))).Drop()},

		// Mutants that send a part of a step's changes.
		{Name: "one-change-of-a-member", Requirement: "helix.state.sum",
			Summary: "Of several changes of one member in a step only the first is sent.",
			Also:    []string{"helix.state.append", "helix.state.parallel-appends", "helix.state.applicable"},
			Apply: on.Written(on.Type("state_patch")).With(func(c runtime.Chunk) {
				seen := map[string]bool{}
				c["patches"] = slices.DeleteFunc(slices.Clone(edit.Operations(c)), func(o runtime.Operation) bool {
					again := seen[o.Path]
					seen[o.Path] = true
					return again
				})
			})},

		// These send appends in other ways.
		{Name: "append-as-whole-list", Requirement: "helix.state.append",
			Summary: "Appending an item sends the whole list again.",
			Apply: on.Operations(on.Appends()).Edit(func(o *on.Operation) {
				o.Op, o.Path, o.Value = "replace", o.List(), o.Before.With(o.List(), o.Value)
			})},
		{Name: "append-by-index-later", Requirement: "helix.state.append", Stateful: true,
			Summary: "An item for a list that has items already is added at its index.",
			Apply: on.Operations(on.Appends()).Edit(func(o *on.Operation) {
				if items, _ := o.Before.Items(o.List()); len(items) > 0 {
					o.Path = fmt.Sprintf("%s/%d", o.List(), len(items))
				}
			})},

		// Mutants that lose values which concurrent tools append.
		{Name: "append-reads-and-writes-back", Requirement: "helix.state.parallel-appends", Stateful: true,
			Summary: "Each of several tools at work reads the list when it begins, and writes it back with its own items.",
			Apply: inBranches(func(ctx context.Context, b *branch, env runtime.Env, key string, own []json.RawMessage,
				all lists) error {
				if b.lists[key] == nil {
					b.lists[key] = slices.Clip(all[key])
				}
				b.lists[key] = append(b.lists[key], own...)
				return env.Set(ctx, key, alter.Encode(b.lists[key]))
			})},
		{Name: "third-append-lost", Requirement: "helix.state.parallel-appends", Stateful: true,
			Summary: "Of the tools that work side by side, the changes of two are kept.",
			Apply: inBranches(func(ctx context.Context, b *branch, env runtime.Env, key string, own []json.RawMessage,
				_ lists) error {
				if b.number > 1 {
					return nil
				}
				return env.Append(ctx, key, own)
			})},

		// These mix the states of agents up.
		{Name: "child-patches-parent", Requirement: "helix.state.per-agent",
			Summary: "The changes of a sub-agent are written in the name of the root.",
			Apply:   on.Written(on.Type("state_patch")).AsRoot()},
		{Name: "grandchild-patches-child", Requirement: "helix.state.per-agent", Stateful: true,
			Summary: "The changes of a sub-agent of a sub-agent are written in the name of the one that started it.",
			Apply: on.Written().BySequence(func(p *on.Producer) func(runtime.Chunk) {
				parents := map[any]runtime.Chunk{} // what they said when they started the child
				return func(c runtime.Chunk) {
					if c.Type() == "subagent_start" && p.Child(c) {
						parents[c["subSessionId"]] = c
					}
					if parent, nested := parents[c["agentId"]]; nested && c.Type() == "state_patch" {
						c["agentId"], c["agentType"] = parent["agentId"], parent["agentType"]
					}
				}
			})},
		{Name: "second-child-begins-where-first-ended", Requirement: "helix.state.per-agent", Stateful: true,
			Summary: "Sub-agents that work side by side are patched in the name of the one that began first.",
			Also:    []string{"helix.subagents.within"},
			Apply:   on.Written(on.Type("state_patch").And(on.ByChild()).Since(begins.Nth(2))).Recall("agentId", begins.Nth(1), "subSessionId")},

		// These go on from another state than that of the checkpoint.
		{Name: "rollback-keeps-state", Requirement: "helix.state.after-resync", Stateful: true,
			Summary: "A return to a checkpoint takes the messages back, and the state stays as it was last.",
			Also:    []string{"helix.state.applicable"},
			Apply:   staysAt(func(int) bool { return true })},
		{Name: "second-rollback-keeps-state", Requirement: "helix.state.after-resync", Stateful: true,
			Summary: "The state is taken back once, and the second return of a run finds the copy spent.",
			Apply:   staysAt(func(n int) bool { return n > 1 })},
		{Name: "first-patch-after-recovery-lost", Requirement: "helix.state.after-resync", Stateful: true,
			Summary: "The first patch after a recovery is taken for the one that was sent before the crash.",
			Apply:   on.Written(on.Type("state_patch").Next(returns("crash_recovery"))).Drop()},
	}
}

func deletes(o runtime.Operation) bool { return o.Op == "remove" }

// branched is work of one branch of a parallel step.
type branched struct {
	origin any
	branch *branch
}

// branch remembers something of one branch.
type branch struct {
	number int // index in the step
	lists  map[string][]json.RawMessage
}

// inBranches passes the branch to the tools that run in it, and changes how they append.
func inBranches(appending appending) on.Apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		model, tools := p.Model, p.Tools
		p.Model = func(m runtime.Model) runtime.Model {
			return &edit.Model{Model: model(m), Change: func(event runtime.Event) (runtime.Event, error) { return inBranch(event, nil), nil }}
		}
		p.Tools = &branchedTools{Tools: tools, appending: appending}
	})
}

// inBranch marks work with its branch.
func inBranch(event runtime.Event, b *branch) runtime.Event {
	switch e := event.(type) {
	case runtime.Work:
		return runtime.Work{Origin: branched{e.Origin, b}}
	case runtime.Parallel:
		turns := make([]runtime.Turn, len(e.Branches))
		for i, turn := range e.Branches {
			b := &branch{number: i, lists: map[string][]json.RawMessage{}}
			turns[i] = &edit.Turn{Turn: turn, Change: func(event runtime.Event) (runtime.Event, error) { return inBranch(event, b), nil }}
		}
		return runtime.Parallel{Branches: turns}
	}
	return event
}

// appending appends items to the list at key in a branch. The lists are the agent's as of before the branches.
type appending = func(ctx context.Context, b *branch, env runtime.Env, key string, items []json.RawMessage,
	all lists) error

// lists are the lists of one agent, as far as they were made by appending.
type lists map[string][]json.RawMessage

type branchedTools struct {
	runtime.Tools
	appending appending

	mu     sync.Mutex
	agents map[runtime.Env]lists
}

// Work implements runtime.Tools.
func (t *branchedTools) Work(ctx context.Context, w runtime.Work, env runtime.Env) error {
	origin, _ := w.Origin.(branched)
	return t.Tools.Work(ctx, runtime.Work{Origin: origin.origin}, branchedEnv{env, t, origin.branch})
}

type branchedEnv struct {
	runtime.Env
	tools  *branchedTools
	branch *branch
}

// Append implements runtime.Env.
func (e branchedEnv) Append(ctx context.Context, key string, items []json.RawMessage) error {
	e.tools.mu.Lock()
	defer e.tools.mu.Unlock()
	if e.tools.agents == nil {
		e.tools.agents = map[runtime.Env]lists{}
	}
	if e.tools.agents[e.Env] == nil {
		e.tools.agents[e.Env] = lists{}
	}
	all := e.tools.agents[e.Env]
	if e.branch == nil {
		all[key] = append(slices.Clip(all[key]), items...)
		return e.Env.Append(ctx, key, items)
	}
	return e.tools.appending(ctx, e.branch, e.Env, key, items, all)
}

// checkpointShim is a store of checkpoints that does some things differently; each function may be nil.
type checkpointShim struct {
	runtime.Checkpoints
	load func(ctx context.Context, stream, id string) (runtime.Checkpoint, bool, error)
}

func (s *checkpointShim) Load(ctx context.Context, stream, id string) (runtime.Checkpoint, bool, error) {
	return s.load(ctx, stream, id)
}

// staysAt lets a return to a checkpoint keep the newest state. The function gets the number of the return, from 1 on
// each stream.
func staysAt(hit func(n int) bool) on.Apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		inner := p.Checkpoints
		var streams alter.PerKey[int]
		p.Checkpoints = &checkpointShim{inner, func(
			ctx context.Context, stream, id string,
		) (runtime.Checkpoint, bool, error) {
			c, found, err := inner.Load(ctx, stream, id)
			if id == "" || !found || err != nil {
				return c, found, err
			}
			n := 0
			streams.With(stream, func(p *int) { *p++; n = *p })
			if newest, there, err := inner.Load(ctx, stream, ""); hit(n) && there && err == nil {
				c.State = newest.State
			}
			return c, found, err
		}}
	})
}
