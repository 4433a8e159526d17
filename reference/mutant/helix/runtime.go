package helix

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

func only(chunks ...runtime.Chunk) []runtime.Chunk { return chunks }

// failedCall says whether a chunk is the end of a call that failed.
func failedCall(c runtime.Chunk) bool { return c.Type() == "tool_end" && c["success"] == false }

// rawMember is a member as JSON.
func rawMember(c runtime.Chunk, member string) json.RawMessage {
	if raw, ok := c[member].(json.RawMessage); ok {
		return raw
	}
	return alter.Encode(c[member])
}

// isContentKind says whether chunks of a type are what an agent says or does.
func isContentKind(kind string) bool {
	return slices.Contains([]string{"text_delta", "thinking", "tool_start", "tool_end", "custom", "error", "output"}, kind)
}

// errBroken is why a run fails that shouldn't.
var errBroken = errors.New("the run broke")

// breaksAfter lets a run fail at what it writes after a chunk for which a condition holds.
func breaksAfter(when on.Writing) apply {
	return on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
		type state struct{ broken, fatal bool }
		var streams alter.Ledger[state]
		hits := on.Noting(when)
		j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
			refuse := false
			streams.With(w.Stream, func(s *state) {
				refuse = s.broken && !s.fatal
				s.fatal = s.fatal || refuse // what tells readers of it is written
				for _, c := range chunks {
					s.broken = hits(w, c) || s.broken
				}
			})
			if refuse {
				return nil, errBroken
			}
			return inner.Append(ctx, w, chunks)
		}
	})
}

// onClassified changes what readers learn about errors.
func onClassified(change func(err error, f *runtime.Failure)) apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		inner := p.Classify
		p.Classify = func(err error) runtime.Failure {
			f := inner(err)
			change(err, &f)
			return f
		}
	})
}

// onModelEvents changes what models do: nil leaves an event out, and an error ends the turn.
func onModelEvents(change func(runtime.Event) (runtime.Event, error)) apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		inner := p.Model
		p.Model = func(m runtime.Model) runtime.Model { return bentModel{inner(m), change} }
	})
}

type bentModel struct {
	runtime.Model
	change func(runtime.Event) (runtime.Event, error)
}

func (m bentModel) Step(ctx context.Context, n int, w runtime.Waiter) (runtime.Turn, error) {
	turn, err := m.Model.Step(ctx, n, w)
	if err != nil {
		return nil, err
	}
	return &bentTurn{turn, m.change}, nil
}

type bentTurn struct {
	runtime.Turn
	change func(runtime.Event) (runtime.Event, error)
}

func (t *bentTurn) Next(ctx context.Context) (runtime.Event, error) {
	for {
		event, err := t.Turn.Next(ctx)
		if err != nil {
			return nil, err
		}
		if event, err = t.change(event); event != nil || err != nil {
			return event, err
		}
	}
}

// onBranches changes each of several branches that work side by side.
func onBranches(change func(runtime.Turn) runtime.Turn) apply {
	return onModelEvents(func(e runtime.Event) (runtime.Event, error) {
		p, ok := e.(runtime.Parallel)
		if !ok {
			return e, nil
		}
		branches := make([]runtime.Turn, len(p.Branches))
		for i, branch := range p.Branches {
			branches[i] = change(branch)
		}
		return runtime.Parallel{Branches: branches}, nil
	})
}

// toolShim is a set of tools that does some things differently; each function may be nil.
type toolShim struct {
	runtime.Tools
	gate    func(ctx context.Context, c runtime.Call) (runtime.Way, error)
	execute func(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error)
}

func (t *toolShim) Gate(ctx context.Context, c runtime.Call) (runtime.Way, error) {
	if t.gate != nil {
		return t.gate(ctx, c)
	}
	return t.Tools.Gate(ctx, c)
}

func (t *toolShim) Execute(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error) {
	if t.execute != nil {
		return t.execute(ctx, c, env)
	}
	return t.Tools.Execute(ctx, c, env)
}

// onTools brings tools that do some things differently.
func onTools(replace func(inner runtime.Tools, t *toolShim)) apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		t := &toolShim{Tools: p.Tools}
		replace(p.Tools, t)
		p.Tools = t
	})
}

// isRunCall reports whether a request is a control call about runs.
func isRunCall(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/control/runs") }

// onRunCalls handles the calls that start, steer and ask for runs.
func onRunCalls(serve func(next http.Handler, w http.ResponseWriter, r *http.Request)) around {
	return alter.OnRequests(isRunCall, serve)
}
