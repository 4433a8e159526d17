package helix

import (
	"context"
	"encoding/json"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// OnRuntime changes the ports of the runtime. The function is called once for each server.
func OnRuntime(change func(*runtime.Ports)) Apply {
	return func(o helix.Options) helix.Options {
		inner := o.Runtime
		o.Runtime = func(p runtime.Ports) runtime.Ports {
			p = inner(p)
			change(&p)
			return p
		}
		return o
	}
}

// Journal is a journal with some methods replaced: each function that is set replaces the method.
type Journal struct {
	runtime.Journal
	OnAppend    func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error)
	OnCleanup   func(ctx context.Context, w runtime.Writer, stepCount int) error
	OnSetStatus func(ctx context.Context, w runtime.Writer, status runtime.Status) error
	OnEnd       func(ctx context.Context, w runtime.Writer, finalOutput json.RawMessage) error
	OnFail      func(ctx context.Context, w runtime.Writer, message, code string) error
}

// OnJournal brings a journal that does some things differently. The function is called once for each server.
func OnJournal(replace func(inner runtime.Journal, j *Journal)) Apply {
	return OnRuntime(func(p *runtime.Ports) {
		j := &Journal{Journal: p.Journal}
		replace(p.Journal, j)
		p.Journal = j
	})
}

// Note is shown each chunk before it is appended, and may change it.
func (j *Journal) Note(note func(w runtime.Writer, c runtime.Chunk)) {
	inner := j.Journal
	j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
		for _, c := range chunks {
			note(w, c)
		}
		return inner.Append(ctx, w, chunks)
	}
}

// SkipStatus leaves out a change of the status that comes right after a chunk of one type.
func SkipStatus(of runtime.Status, after string) Apply {
	return OnJournal(func(inner runtime.Journal, j *Journal) {
		var last alter.PerKey[string] // types, by stream
		j.Note(func(w runtime.Writer, c runtime.Chunk) { last.Set(w.Stream, c.Type()) })
		j.OnSetStatus = func(ctx context.Context, w runtime.Writer, status runtime.Status) error {
			if status == of && last.Get(w.Stream) == after {
				return nil
			}
			return inner.SetStatus(ctx, w, status)
		}
	})
}

// Append implements runtime.Journal.
func (j *Journal) Append(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
	if j.OnAppend != nil {
		return j.OnAppend(ctx, w, chunks)
	}
	return j.Journal.Append(ctx, w, chunks)
}

// Cleanup implements runtime.Journal.
func (j *Journal) Cleanup(ctx context.Context, w runtime.Writer, stepCount int) error {
	if j.OnCleanup != nil {
		return j.OnCleanup(ctx, w, stepCount)
	}
	return j.Journal.Cleanup(ctx, w, stepCount)
}

// SetStatus implements runtime.Journal.
func (j *Journal) SetStatus(ctx context.Context, w runtime.Writer, status runtime.Status) error {
	if j.OnSetStatus != nil {
		return j.OnSetStatus(ctx, w, status)
	}
	return j.Journal.SetStatus(ctx, w, status)
}

// End implements runtime.Journal.
func (j *Journal) End(ctx context.Context, w runtime.Writer, finalOutput json.RawMessage) error {
	if j.OnEnd != nil {
		return j.OnEnd(ctx, w, finalOutput)
	}
	return j.Journal.End(ctx, w, finalOutput)
}

// Fail implements runtime.Journal.
func (j *Journal) Fail(ctx context.Context, w runtime.Writer, message, code string) error {
	if j.OnFail != nil {
		return j.OnFail(ctx, w, message, code)
	}
	return j.Journal.Fail(ctx, w, message, code)
}

// IDs makes some ids differently: each function that is set replaces the method.
type IDs struct {
	runtime.IDs
	OnNew        func(kind string) string
	OnCheckpoint func(session string, stepCount int, at time.Time) string
}

// OnIDs makes ids differently. The function is called once for each server.
func OnIDs(replace func(inner runtime.IDs, i *IDs)) Apply {
	return OnRuntime(func(p *runtime.Ports) {
		i := &IDs{IDs: p.IDs}
		replace(p.IDs, i)
		p.IDs = i
	})
}

// New implements runtime.IDs.
func (i *IDs) New(kind string) string {
	if i.OnNew != nil {
		return i.OnNew(kind)
	}
	return i.IDs.New(kind)
}

// Checkpoint implements runtime.IDs.
func (i *IDs) Checkpoint(session string, stepCount int, at time.Time) string {
	if i.OnCheckpoint != nil {
		return i.OnCheckpoint(session, stepCount, at)
	}
	return i.IDs.Checkpoint(session, stepCount, at)
}
