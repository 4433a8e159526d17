package play

import (
	"errors"
	"math/rand/v2"
	"sync"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// info compares StreamInfo with the model.
func (p inspections) info(s *stream) error {
	if !p.target.Claims("info") {
		return nil
	}
	return p.document(s.Info, "helix.status.info-members", func() (*target.Exchange, error) {
		return helix.GetInfo(p.session, target.DocumentRequest{Stream: s.id})
	})
}

// snapshot compares a snapshot with the model.
func (p inspections) snapshot(s *stream) error {
	tooLarge := 3*s.size > p.target.Limits().Answer // a character of two bytes may be escaped with six
	if !p.target.Claims("snapshot") || tooLarge || s.Finished() && s.Terminal() == 0 {
		return nil
	}
	var concurrently sync.WaitGroup
	defer concurrently.Wait()
	if p.pages++; p.pages%4 == 0 { // another client requests one without partial content
		concurrently.Go(func() { _, _ = helix.GetSnapshot(p.session, target.SnapshotRequest{Stream: s.id}) })
	}
	judge, request := s.Snapshot, target.SnapshotRequest{Stream: s.id, Partial: "true"}
	if s.Finished() && p.pages%2 == 0 {
		judge, request.Partial = s.FinishedSnapshot, ""
	}
	return p.document(judge, "helix.snapshot.document", func() (*target.Exchange, error) { return helix.GetSnapshot(p.session, request) })
}

func (p inspections) document(judge func(int, []byte) error, requirement string, requestOne func() (*target.Exchange, error)) error {
	e, err := requestOne()
	var missing *target.UnavailableError
	switch {
	case errors.As(err, &missing):
		return err
	case err != nil:
		return campaign.Broken(e, requirement, "an answer", err.Error(), "a document was not answered")
	}
	v := e.Now()
	return campaign.At(e, judge(v.Status, v.Answer))
}

// draw returns a generator that depends on the operations so far only: a program always plays the same.
func (p inspections) draw(s *stream) *rand.Rand {
	return campaign.NewDraw(int64(s.Written()), uint64(len(p.program.Operations)))
}
