package redis

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/store"
)

// id is the position of an entry: a chunk and a terminal event at their sequence, a notice after the latest chunk.
type id struct{ sequence, notice int64 }

func (i id) String() string { return fmt.Sprintf("%d-%d", i.sequence, i.notice) }

func (i id) before(j id) bool {
	return i.sequence < j.sequence || i.sequence == j.sequence && i.notice < j.notice
}

// entry is an event where it lies. The number of a notice counts those of its stream.
type entry struct {
	at     id          // orders it among all entries of the stream
	number int64       // 0 for a chunk
	event  store.Event // its bytes are shared by all readers
}

func (e entry) size() int64 {
	return eventCost + int64(len(e.event.Chunk.JSON)+len(e.event.FinalOutput)+len(e.event.Error))
}

var errEntry = errors.New("redis: an entry is not one that this store writes")

// entries parses the answer to XRANGE.
func entries(answer any) ([]entry, error) {
	rows, ok := answer.([]any)
	if !ok {
		return nil, errEntry
	}
	out := make([]entry, 0, len(rows))
	for _, row := range rows {
		e, err := newEntry(row)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func newEntry(row any) (e entry, err error) {
	parts, ok := row.([]any)
	if !ok || len(parts) != 2 {
		return e, errEntry
	}
	at := text(parts[0])
	sequence, notice, _ := strings.Cut(at, "-")
	if e.at.sequence, err = strconv.ParseInt(sequence, 10, 64); err != nil {
		return e, fmt.Errorf("%w: id %s", errEntry, at)
	}
	if e.at.notice, err = strconv.ParseInt(notice, 10, 64); err != nil {
		return e, fmt.Errorf("%w: id %s", errEntry, at)
	}
	fields, _ := parts[1].([]any)
	if len(fields) < 2 {
		return e, fmt.Errorf("%w: %s", errEntry, at)
	}
	return e, e.read(fields)
}

// read parses an entry from its fields; the first is its kind.
func (e *entry) read(fields []any) error {
	value := func(i int) string {
		if i < len(fields) {
			return text(fields[i])
		}
		return ""
	}
	number := func(i int) int64 {
		n, _ := strconv.ParseInt(value(i), 10, 64)
		return n
	}
	ev := &e.event
	// helix.resume.stable: the sequence is that of the entry, for every reader.
	ev.Sequence = e.at.sequence
	switch value(0) {
	case "c":
		ev.Kind, ev.Chunk = store.ChunkWritten, store.Chunk{JSON: json.RawMessage(value(1))}
		if value(2) == "s" {
			ev.Chunk.Step, ev.Chunk.HasStep = number(3), true
		}
	case "e":
		ev.Kind = store.StreamEnded
		if value(1) != "" {
			ev.FinalOutput = json.RawMessage(value(1))
		}
	case "f":
		ev.Kind, ev.Error, ev.Code = store.StreamFailed, value(1), value(3)
	case "n":
		e.number, ev.Sequence = number(1), 0
		switch value(2) {
		case "p":
			ev.Kind, ev.Status = store.StatusChanged, store.Status(value(3))
		case "t":
			ev.Kind, ev.AtStep, ev.AtSequence = store.Truncated, number(3), number(5)
		}
	}
	if ev.Kind == 0 {
		return fmt.Errorf("%w: %s", errEntry, e.at)
	}
	return nil
}

// description is the result of the function describe in lua/stream.lua.
type description struct {
	store.Info
	epoch   string // changes when the stream is deleted and made again
	edition int64  // changes with a cleanup, a reset and a new initial state
	notices int64  // number of the latest one
}

func newDescription(answer any) (d description, err error) {
	values, _ := answer.([]any)
	if len(values) != 8 {
		return d, errEntry
	}
	word := func(i int) string { return text(values[i]) }
	for i, to := range map[int]*int64{1: &d.edition, 2: &d.LatestSequence, 3: &d.ChunkCount, 4: &d.Terminal, 7: &d.notices} {
		if word(i) == "" {
			continue
		}
		if *to, err = strconv.ParseInt(word(i), 10, 64); err != nil {
			return d, fmt.Errorf("%w: %w", errEntry, err)
		}
	}
	d.epoch = word(0)
	switch {
	case d.Terminal > 0:
		d.Status = store.Status(word(5))
	case word(6) == "1":
		d.Status = store.Paused
	default:
		d.Status = store.Active
	}
	return d, nil
}

// Approximate memory of an event in addition to its bytes.
const eventCost = 256
