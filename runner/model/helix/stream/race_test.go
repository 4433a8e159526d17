package stream_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// duel is a race of two writers on a stream that contains a chunk of step 1, its calls one by one, and the complete stream
// as read after it.
type duel struct {
	s        *stream.Stream
	calls    []stream.Call
	complete []stream.Frame
}

// newDuel is a stream whose first chunk, of the sequence 1, was read.
func newDuel() *duel {
	c := newSetup().write(1, 1).attach(-1).chunk(1, 1, 1)
	c.r.Detach()
	return (&duel{s: c.s}).saw(1)
}

func (d *duel) call(isStarted, answered int64, c stream.Call) *duel {
	c.Started, c.Answered = isStarted, answered
	d.calls = append(d.calls, c)
	return d
}

// write writes the chunks of the given numbers; those above 9 are of step 3, others of step 1.
func (d *duel) write(isStarted, answered int64, writer int, accepted bool, numbers ...int) *duel {
	var chunks []*stream.Chunk
	for _, n := range numbers {
		marker, step := d.s.Marker(n), 1
		if n > 9 {
			step = 3
		}
		chunks = append(chunks, &stream.Chunk{Marker: marker, Body: body(marker, step), Step: step})
	}
	return d.call(isStarted, answered, stream.Call{Writer: writer, Chunks: chunks, Accepted: accepted})
}

func (d *duel) end(isStarted, answered int64, accepted bool) *duel {
	return d.call(isStarted, answered, stream.Call{Terminal: stream.Ended, Accepted: accepted})
}

func (d *duel) fail(isStarted, answered int64, accepted bool) *duel {
	return d.call(isStarted, answered, stream.Call{Terminal: stream.Failed, Final: "broke", Accepted: accepted})
}

func (d *duel) info(isStarted, answered int64, status string, latest, count int) *duel {
	return d.call(isStarted, answered, stream.Call{Info: fmt.Appendf(nil, `{"status":%q,"latestSequence":%d,"chunkCount":%d}`, status, latest, count)})
}

// cleanup removes the chunks above step 1.
func (d *duel) cleanup(isStarted, answered int64) *duel {
	return d.call(isStarted, answered, stream.Call{Truncates: true, Step: 1, Accepted: true})
}

// saw adds the chunk of a number to the complete stream, with the next sequence.
func (d *duel) saw(numbers ...int) *duel {
	for _, n := range numbers {
		id, step := len(d.complete)+1, 1
		if n > 9 {
			step = 3
		}
		d.complete = append(d.complete, stream.Frame{ID: fmt.Sprint(id), HasID: true,
			Data: fmt.Appendf(nil, `{"type":"chunk","sequence":%d,"chunk":%s}`, id, body(d.s.Marker(n), step))})
	}
	return d
}

func (d *duel) over(kind string) *duel {
	d.complete = append(d.complete, stream.Frame{Data: fmt.Appendf(nil, `{"type":%q}`, kind)})
	return d
}

func (d *duel) settle() error {
	_, err := d.s.Settle(d.calls, d.complete)
	return err
}

// TestBadRacesAreRuledOut: no order of the calls explains how they were answered.
func TestBadRacesAreRuledOut(t *testing.T) {
	for id, races := range map[string][]*duel{
		"helix.ordering.write-order":          {newDuel().write(0, 5, 0, true, 2, 3).saw(3, 2), newDuel().write(0, 5, 0, true, 2).write(6, 7, 0, true, 3).saw(3, 2)},
		"helix.ordering.total-order":          {newDuel().write(0, 5, 0, true, 2).write(6, 9, 1, true, 3).saw(3, 2)},
		"helix.lifecycle.first-terminal-wins": {newDuel().end(0, 5, true).fail(6, 9, true).over("fail")},
		"helix.lifecycle.write-after-end":     {newDuel().end(0, 5, true).write(6, 9, 0, true, 2).saw(2).over("end"), newDuel().write(0, 9, 0, true, 2).end(3, 5, true).over("end")},
		"helix.lifecycle.many-writers":        {newDuel().write(0, 5, 0, false, 2), newDuel().write(0, 5, 0, true, 2), newDuel().write(0, 3, 0, false, 2).end(4, 5, true).over("end")},
		"helix.lifecycle.no-chunk-after-end":  {newDuel().end(0, 3, true).write(1, 5, 0, false, 2).saw(2).over("end")},
		"helix.status.transitions":            {newDuel().end(0, 3, true).info(4, 5, "active", 1, 1).over("end"), newDuel().info(0, 2, "ended", 1, 1).end(4, 5, true).over("end")},
		"helix.status.latest":                 {newDuel().write(0, 3, 0, true, 2).info(4, 5, "active", 1, 2).saw(2), newDuel().write(0, 9, 0, true, 2).info(1, 2, "active", 2, 1).info(3, 4, "active", 1, 1).saw(2)},
		"helix.status.count":                  {newDuel().write(0, 3, 0, true, 2).info(4, 5, "active", 2, 1).saw(2), newDuel().write(0, 3, 0, true, 2).info(1, 5, "active", 2, 3).saw(2)},
		"helix.status.info-members":           {newDuel().call(0, 1, stream.Call{Info: []byte(`{}`)})},
		"helix.truncation.count-after":        {newDuel().write(0, 3, 0, true, 10).cleanup(4, 5).info(6, 7, "active", 2, 2)},
		"helix.truncation.latest-kept":        {newDuel().write(0, 3, 0, true, 2).cleanup(4, 5).info(6, 7, "active", 1, 2).saw(2)},
		"helix.truncation.keeps":              {newDuel().write(0, 5, 0, true, 2).cleanup(1, 4)},
	} {
		for i, d := range races {
			var b *model.Violation
			if err := d.settle(); !errors.As(err, &b) || b.Requirement != id {
				t.Errorf("%s, race %d: got %v", id, i, err)
			}
		}
	}
}

// TestRacesThatAreRight: concurrent calls may be applied in any order, and readers of a race may have attached before or
// after a truncation.
func TestRacesThatAreRight(t *testing.T) {
	for name, d := range map[string]*duel{
		"two writers":             newDuel().write(0, 5, 0, true, 2, 4).write(1, 3, 1, true, 3).saw(2, 3, 4),
		"a part of an array":      newDuel().write(0, 9, 0, true, 2, 3).info(1, 2, "active", 2, 2).saw(2, 3),
		"members of two moments":  newDuel().write(0, 9, 0, true, 2).info(1, 2, "active", 2, 1).saw(2),
		"two ends":                newDuel().end(0, 5, true).fail(1, 5, false).write(2, 3, 0, false, 2).info(2, 3, "ended", 1, 1).over("end"),
		"before an end":           newDuel().end(0, 5, true).write(1, 9, 0, true, 2).saw(2).over("end"),
		"before a cleanup":        newDuel().write(0, 3, 0, true, 10).cleanup(1, 5).info(2, 3, "active", 2, 2).info(6, 7, "active", 2, 1),
		"behind a cleanup":        newDuel().write(0, 9, 0, true, 10).cleanup(1, 5).saw(10),
		"a reset with its writer": newDuel().call(0, 3, stream.Call{Truncates: true, Resets: true, Accepted: true}).write(1, 5, 0, false, 2).info(4, 5, "active", 0, 0),
	} {
		if err := d.settle(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := newDuel()
	r := d.s.Attach(stream.Position{}, false)
	race, err := d.write(0, 3, 0, true, 10).cleanup(1, 5).s.Settle(d.calls, d.complete)
	if err != nil {
		t.Fatal(err)
	}
	r.Amid(race)
	for _, f := range newDuel().saw(10).complete { // it saw what was removed, and need not be told
		if _, err := r.Take(f); err != nil {
			t.Error(err)
		}
	}

	d = newDuel()
	race, err = d.end(0, 5, true).over("end").s.Settle(d.calls, d.complete)
	if err != nil {
		t.Fatal(err)
	}
	r = d.s.Attach(stream.Position{}, false)
	r.Amid(race)
	if _, err := r.Take(stream.Frame{Data: []byte(`{"type":"status","status":"active"}`)}); err != nil {
		t.Errorf("a reader that came before the end: %v", err)
	}
}
