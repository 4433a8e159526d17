package run

import (
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/document"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// Snapshot judges a snapshot that was taken while the run waited: it is the sum of the chunks up to its sequence, and with
// the chunks after it, it makes the complete text and state. status is that of StreamInfo meanwhile, "" if it isn't known.
func (r *Run) Snapshot(body []byte, all []*stream.Produced, partial bool, status stream.Status) error {
	got, ok := document.Read(body)
	if !ok || len(all) == 0 || r.expected.between {
		return nil // the schema of the document says what it must hold
	}
	if status != "" && got.Status != string(status) {
		return model.Violated("helix.snapshot.status", string(status), got.Status, "a snapshot has another status than StreamInfo")
	}
	at := slices.IndexFunc(all, func(p *stream.Produced) bool { return float64(p.ID) > *got.StreamSequence })
	if at < 0 {
		at = len(all)
	}
	if partial && at < len(all) {
		return model.Violated("helix.snapshot.sequence", fmt.Sprint(all[len(all)-1].ID), fmt.Sprint(*got.StreamSequence), "the streamSequence of a snapshot isn't the latest sequence")
	}
	roots := rootsOf(all)
	if err := r.goesOn(&got, all[at:], roots); err != nil || r.progress.allowsDroppedSteps() {
		return err
	}
	several := planned(r.progress.executedSteps()).several
	c := boundaryOf(all, at, counting(all[:at]), roots, r.Over())
	if err := c.shows(&got, r.progress.initial, partial, several); err != nil {
		// A step that was dropped since isn't complete at the boundary: without partial content it isn't shown.
		later := boundaryOf(all, at, counting(all)[:at], roots, r.Over())
		if partial || later.shows(&got, r.progress.initial, partial, several) != nil {
			return err
		}
	}
	for _, rule := range []string{"helix.snapshot.boundary", "helix.snapshot.exact", "helix.snapshot.no-partial", "helix.snapshot.partial-parts"} {
		if partial == (rule == "helix.snapshot.partial-parts") || rule == "helix.snapshot.exact" {
			r.occasions.Saw(rule)
		}
	}
	return nil
}

// goesOn judges the state of a page that reads the stream after a snapshot.
func (r *Run) goesOn(got *document.Page, remaining []*stream.Produced, roots map[string]bool) error {
	h := receive(remaining, counting(remaining), roots)
	rule := "helix.snapshot.complete"
	if len(h.patches) == 0 {
		rule = "helix.snapshot.exact"
	}
	if err := sums(h.patches, got.State, r.progress.committedState(), rule); err != nil {
		return err
	}
	r.occasions.Saw(rule)
	p := planned(r.progress.executedSteps())
	if len(p.subAgents) > 0 || r.progress.concurrently() { // which message holds whose text is free
		return nil
	}
	if whole := got.Text("text") + h.text.String(); !p.sameText(whole) && !r.progress.emittedDropped(whole) {
		return model.Unequal("helix.snapshot.text", p.text.String(), whole, "a snapshot and what comes after it make another text")
	}
	r.occasions.Saw("helix.snapshot.text")
	return nil
}

// emittedDropped reports whether a snapshot and the chunks after it contain the text of dropped steps that readers weren't
// notified of: the snapshot lacks those before its sequence, and a reader receives those after it.
func (p *progress) emittedDropped(whole string) bool {
	for from, s := range p.past {
		if s.dropped && !s.discarded && planned(p.withDropped(from)).sameText(whole) {
			return true
		}
	}
	return false
}
