package run

import (
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// expected lists the chunks that calls to the run must have written, and counts calls without an answer by their chunks.
//
// Invariant: chunks is empty after a check that found no violation.
type expected struct {
	chunks   []expectedChunk // in the order of the calls; the order in the stream is free
	checked  int64           // the greatest id that was checked
	branches int             // number of branches; each is a new session
	paused   bool            // a run_paused has come, and no run_resumed since
	// between is set when one of several calls that wait was answered: whether it goes on before all are is free.
	between    bool
	superseded bool // another executor has taken over
	mayVoid    bool // a call may have written a stream_resync, which voids dropped steps
	mayCrash   bool // the executor was killed while the run waited, which may have changed nothing
}

type expectedChunk struct {
	rule, kind, member string // that is broken if it doesn't come
	want               any    // the value of the member; any value if member is ""
}

func (e *expected) add(rule, kind, member string, want any) {
	e.chunks = append(e.chunks, expectedChunk{rule, kind, member, want})
}

// resync expects the chunk that voids everything after the last checkpoint.
func (e *expected) resync(reason string) {
	e.paused = false
	e.add("helix.resync.written", "stream_resync", "reason", reason)
}

// news returns the chunks of the run's agent that weren't checked before.
func (e *expected) news(all []*stream.Produced, roots map[string]bool) ([]*stream.Produced, error) {
	root, branches := all[0].Text("agentId"), 0
	var news []*stream.Produced
	for _, p := range all {
		kind := p.Kind()
		if branches < e.branches && kind == "stream_resync" && p.Text("reason") == "branch" {
			root, branches = p.Text("agentId"), branches+1
		}
		switch {
		case p.ID <= e.checked:
		case p.Text("agentId") == root:
			news = append(news, p)
		case kind == "run_resumed" || kind == "stream_resync":
			return nil, model.Violated("helix.runs.same-session", root, p.Text("agentId"), "a run of the session has another agentId")
		case roots[p.Text("agentId")]:
			news = append(news, p)
		}
	}
	e.checked = all[len(all)-1].ID
	return news, nil
}

// check searches each expected chunk among the new ones.
func (e *expected) check(news []*stream.Produced, occasions model.OccasionCounts) error {
	for _, one := range e.chunks {
		i := slices.IndexFunc(news, func(p *stream.Produced) bool {
			return p.Kind() == one.kind && (one.member == "" || p.Member(one.member) == one.want)
		})
		if i < 0 {
			want := one.kind
			if one.member != "" {
				want += fmt.Sprintf(" with the %s %v", one.member, one.want)
			}
			return model.Violated(one.rule, want, fmt.Sprintf("%d other chunks", len(news)), "what was done to the run wasn't written")
		}
		occasions.Saw(one.rule)
	}
	e.chunks = nil
	return nil
}
