package play

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

const (
	// replicaEvery is the number of readers of which one attaches to another replica.
	replicaEvery = 3
	// onOtherReplica is the replica to which it attaches. All other requests go to the first.
	onOtherReplica = 2
)

// onReplicas directs the next connection of a reader to another replica, if there is one and the stream has had chunks only:
// every replica must deliver those in time, helix.replicas.live, helix.replicas.sequences. It may deliver other frames
// later. A replica that lags when the reader attaches isn't used. home directs requests to the first replica again.
func (p *play) onReplicas(r *reader) (home func()) {
	stay := func() {}
	if p.stays || p.program.Runs || p.crashing() || p.removed > 0 || r.stalled || r.over == "HTTP/2" || r.s.Changed() ||
		p.target.IsReplicated() != nil || !p.target.Claims("info") || p.target.Limits().Readers > 0 {
		return stay
	}
	if p.readerSlots++; p.readerSlots%replicaEvery != 0 {
		return stay
	}
	home = func() { _ = p.session.TurnTo(1) } // the first replica is known
	if p.session.TurnTo(onOtherReplica) != nil {
		return stay
	}
	if !p.knows(r.s) {
		home()
		return stay
	}
	r.onOtherReplica = true
	return home
}

// knows waits until the present replica knows all chunks of a stream; false if it takes too long.
func (p *play) knows(s *stream) bool {
	for since := time.Now(); ; p.outputs.idle() {
		e, err := helix.GetInfo(p.session, target.DocumentRequest{Stream: s.id, Hidden: true})
		var got struct {
			Count int `json:"chunkCount"`
		}
		if err != nil || json.Unmarshal(e.Now().Answer, &got) == nil && got.Count >= s.Stored() {
			return err == nil
		}
		if p.target.Overdue(since) || p.session.Context().Err() != nil {
			return false
		}
	}
}

// crashing reports whether a server is killed in the program.
func (p *play) crashing() bool {
	return slices.ContainsFunc(p.program.Operations, func(o program.Operation) bool { return o.Kind == program.Kill || o.Killed > 0 })
}

// comeHome has the readers of a stream that are attached to another replica receive their expected frames and leave,
// before a change that isn't a chunk.
func (p *play) comeHome(s *stream) error {
	for _, r := range s.readers {
		if r.conn == nil || !r.onOtherReplica {
			continue
		}
		if err := p.readerOps.drain(r); err != nil {
			return err
		}
		if err := p.readerOps.disconnect(r); err != nil {
			return err
		}
	}
	return nil
}
