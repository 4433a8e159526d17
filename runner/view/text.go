package view

import (
	"fmt"
	"io"

	"github.com/streamcert/streamcert/runner/fold"
)

// A Words writes only the text of one agent, or of all selected ones. Make it with NewWords; it isn't safe for concurrent
// use.
type Words struct {
	page  *page
	o     Options
	fold  *fold.Fold
	notes func(string) error
	count Count
}

// NewWords returns one that writes to w. Without Options.Show it writes the root agent's text. Written text can't be taken
// back, so notes gets every event that voids it, and every unreadable one.
func NewWords(w io.Writer, o Options, notes func(string) error) *Words {
	return &Words{page: newPage(w, o.Width, false), o: o, fold: newFold(), notes: notes}
}

// Count returns the counts so far.
func (w *Words) Count() Count { return w.count }

// Event takes in one event. Its errors are those of writing.
func (w *Words) Event(e Event) error {
	if e.Kind != BrokenEvent {
		w.count.Events++
	}
	switch e.Kind {
	case ChunkEvent:
		return w.chunk(e.Chunk)
	case EndEvent, FailEvent:
		w.count.Ended = true
		if e.Kind == FailEvent {
			return w.note("the stream failed: " + e.Error + inBrackets(e.Code))
		}
	case TruncatedEvent:
		w.fold.Removed()
		return w.note(fmt.Sprintf("chunks were removed: text of steps after %s is void", count(e.Step)))
	case UnknownEvent:
		w.count.Unknown++
	case BrokenEvent:
		if !e.Shortened {
			w.count.Broken++
		}
		return w.note(fmt.Sprintf("line %d, byte %d: %s", e.Line, e.Offset, e.Error))
	}
	return nil
}

func (w *Words) chunk(c Chunk) error {
	w.count.Chunks++
	w.count.Types = noted(w.count.Types, c.Type)
	w.count.Agents = noted(w.count.Agents, c.AgentID)
	said := meet(w.fold, c)
	if c.Type != "state_patch" { // no text depends on a state
		w.fold.Take(said)
	}
	switch {
	case c.Type == "stream_resync":
		return w.note(fmt.Sprintf("the stream went back: text of steps after %s is void", count(c.Number("stepCount"))))
	case !known(c.Type):
		w.count.Unknown++
	}
	if w.o.Show == nil && said.Agent.Key != w.fold.Root || w.o.Show != nil && !w.o.Show(c) {
		return nil
	}
	w.count.Shown++
	text := delta(c)
	if text == "" {
		return nil
	}
	if !w.page.open {
		w.page.begin("", "", unstyled)
	}
	w.page.say(text)
	if w.o.Live {
		return w.page.flush()
	}
	return w.page.err
}

// note writes notes in order with the text.
func (w *Words) note(text string) error {
	w.page.end()
	if err := w.page.flush(); err != nil {
		return err
	}
	return w.notes(text)
}

// Close completes the last line.
func (w *Words) Close() error {
	w.page.end()
	return w.page.flush()
}
