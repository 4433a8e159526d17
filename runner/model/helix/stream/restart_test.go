package stream_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

func restart(s *stream.Stream) { s.Restart() }

// killed is a setup whose reader is disconnected by a kill.
func (c *setup) killed() *setup {
	c.r.Detach()
	return c.do(restart)
}

// TestForgetfulWorldsAreRuledOut: a restart may not change a stream.
func TestForgetfulWorldsAreRuledOut(t *testing.T) {
	over := fmt.Sprintf(`{"type":"fail","error":"%s"}`, "other")
	for id, worlds := range map[string][]*setup{
		"helix.durable.kept":      {read().killed().attach(-1).missed(), read().killed().attach(-1).chunk(1, 2, 1), read().killed().killed().attach(-1).chunk(2, 2, 1)},
		"helix.durable.resume":    {read().killed().attach(1).missed(), read().killed().attach(1).chunk(2, 1, 1), read().killed().attach(2).write(1, 1).missed()},
		"helix.durable.sequences": {read().do(reset).killed().attach(-1).write(1, 1).chunk(3, 1, 1)},
		"helix.durable.finished":  {read().do(end).killed().attach(2).missed(), read().do(fail).killed().attach(-1).chunk(1, 1, 1).chunk(2, 2, 1).take("3", over)},
		"helix.durable.status":    {read().do(pause).killed().info(`{"status":"active","latestSequence":2,"chunkCount":2}`)},
		"helix.durable.removed":   {read().write(1, 3).do(cleanup).killed().attach(-1).chunk(1, 1, 1).chunk(2, 2, 1).chunk(3, 3, 3), read().do(reset).killed().attach(-1).chunk(1, 1, 1)},
		"helix.durable.snapshot":  {read().killed().snapshot(`{"status":"active","streamSequence":2,"messages":[]}`)},
	} {
		for i, c := range worlds {
			var b *model.Violation
			if !errors.As(c.err, &b) || b.Requirement != id {
				t.Errorf("%s, world %d: got %v of %+v", id, i, c.err, b)
			}
		}
	}
	for i, c := range []*setup{
		read().killed().attach(-1).chunk(1, 1, 1).chunk(2, 2, 1).write(1, 1).chunk(3, 3, 1),
		read().do(end).killed().attach(-1).chunk(1, 1, 1).chunk(2, 2, 1).take("3", ended),
		read().do(pause).killed().attach(1).chunk(2, 2, 1).do(resume).take("", active).info(`{"status":"active","latestSequence":2,"chunkCount":2}`),
	} {
		if c.err != nil {
			t.Errorf("a world that is right, %d: %v", i, c.err)
		}
	}
}

func (d *duel) kill() *duel { return d.call(0, 0, stream.Call{Kills: true}) }

// unanswered records that the last call wasn't answered, because the server was killed.
func (d *duel) unanswered() *duel {
	c := &d.calls[len(d.calls)-1]
	c.Accepted, c.Unknown = false, true
	return d
}

func (d *duel) resets(isStarted, answered int64) *duel {
	return d.call(isStarted, answered, stream.Call{Truncates: true, Resets: true, Accepted: true})
}

// TestKillsInRaces: the server carried out an unanswered call completely or not at all.
func TestKillsInRaces(t *testing.T) {
	for id, races := range map[string][]*duel{
		"helix.durable.kept": {newDuel().write(0, 3, 0, true, 2).kill()},
		"helix.durable.whole": {
			newDuel().write(0, 3, 0, true, 2, 3).unanswered().kill().saw(2), newDuel().write(0, 3, 0, true, 2).unanswered().kill().saw(2, 2),
			newDuel().write(0, 3, 0, true, 2, 3).unanswered().write(0, 3, 1, true, 4).kill().saw(2, 4, 3),
		},
		"helix.ordering.total-order": {newDuel().write(5, 9, 0, true, 2).unanswered().write(1, 3, 1, true, 3).kill().saw(2, 3)},
		"": {
			newDuel().write(0, 3, 0, true, 2, 3).unanswered().kill(), newDuel().write(0, 3, 0, true, 2, 3).unanswered().kill().saw(2, 3),
			newDuel().end(0, 3, true).unanswered().kill().over("end"), newDuel().end(0, 3, true).unanswered().kill(),
			newDuel().write(0, 3, 0, true, 10).cleanup(4, 5).unanswered().kill(), newDuel().write(0, 3, 0, true, 10).cleanup(4, 5).unanswered().kill().saw(10),
			newDuel().write(0, 3, 0, true, 10, 11).cleanup(4, 5).unanswered().kill().saw(11), // of which only a part was removed
			newDuel().write(0, 3, 0, true, 10).unanswered().info(1, 2, "active", 2, 2).cleanup(4, 5).kill(),
			newDuel().resets(4, 5).unanswered().kill(),
		},
	} {
		for i, d := range races {
			var b *model.Violation
			switch err := d.settle(); {
			case id == "" && err != nil:
				t.Errorf("right, race %d: %v", i, err)
			case id != "" && (!errors.As(err, &b) || b.Requirement != id):
				t.Errorf("%s, race %d: got %v", id, i, err)
			}
		}
	}
}

// TestChunksThatAKillTook: chunks of an unanswered write may be gone although a reader received them, and their ids aren't
// assigned again.
func TestChunksThatAKillTook(t *testing.T) {
	live := newDuel().saw(2).complete // the chunk of number 2 has the id 2
	d := newDuel().write(0, 3, 0, true, 2).unanswered().kill()
	race, err := d.s.Settle(d.calls, d.complete, live)
	if err != nil || !race.Lost(live[1]) || race.Lost(live[0]) || d.s.Sent() != 2 {
		t.Errorf("%v, sent %d", err, d.s.Sent())
	}
	d = newDuel().write(0, 3, 0, true, 2).unanswered().kill().write(5, 6, 0, true, 3).saw(3)
	var b *model.Violation
	if _, err := d.s.Settle(d.calls, d.complete, live); !errors.As(err, &b) || b.Requirement != "helix.durable.sequences" {
		t.Errorf("an id that came again: %v", err)
	}
}
