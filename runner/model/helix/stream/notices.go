package stream

import (
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/model"
)

// notice is a status or a truncated frame, which is no part of the log.
type notice struct {
	kind    string // "status" or "truncated"
	status  Status // of a status frame
	step    int    // of a truncated frame: the last that stays
	ordinal int    // of the cleanup
	reset   bool   // of a truncated frame: the cleanup was a reset
}

// notices are the status and truncated frames that one connection must still receive, and those that it may.
//
// Invariants: pending is in the order of the calls. While known is "", any status frame may come. A stalled connection has
// at most one status frame pending. paused and received are of the latest pause only.
type notices struct {
	pending         []notice // must come, unless the connection ends before
	known           Status   // the status that the reader knows of
	extraTruncated  int      // truncated frames that it may receive for cleanups that removed nothing
	mayClose        bool     // the server may have closed the response
	statusUnknown   bool     // a reset ended a pause: a frame with status active may come at any time
	statusUndecided bool     // frames may be on their way that needn't be sent, so that none shows the present status
	stalled         bool     // the reader takes nothing, or took nothing for a while
	paused          bool     // the reader came during a pause
	received        bool     // and was notified of it
	attachedPaused  bool     // it attached during the present pause, or during the last one and took a chunk in it
	since           int      // chunks that were written when it took the first one in that pause; 0 before
	cleanups        int      // ordinal of the last cleanup that the reader knows of, or that was before it came
	notified        bool     // it received a truncated frame
}

// newNotices returns the notices of a new connection: it gets no earlier announcement. helix.truncation.not-later,
// helix.status.not-stored.
func newNotices(status Status, cleanups int, produced bool) notices {
	n := notices{cleanups: cleanups, known: status, mayClose: status == Paused, paused: status == Paused, attachedPaused: status == Paused && !produced}
	if produced { // a run pauses its stream, and makes it active again, as it sees fit
		n.mayClose, n.known, n.statusUnknown, n.extraTruncated = true, "", true, 1<<30
	}
	return n
}

// announce expects a notice. Those of a stream that a run writes are recommended only.
func (n *notices) announce(one notice, produced bool) {
	n.mayClose = true
	n.attachedPaused = n.attachedPaused && (one.kind != "status" || n.since > 0 && one.status == Active)
	switch {
	case produced:
	case one.kind == "truncated":
		n.pending = append(n.pending, one)
	case n.stalled: // it needn't be notified of a pause that is over
		n.pending = slices.DeleteFunc(n.pending, func(p notice) bool { return p.kind == "status" })
		if one.status == Paused {
			n.pending = append(n.pending, one)
		}
	case one.status == Paused && n.statusUnknown: // for a server that polls, the pause before a reset is this one
		n.known, n.statusUnknown, n.statusUndecided = "", false, true
		n.paused, n.received = true, false // a frame on the former pause says nothing of this one
	case one.status == Active && n.paused && !n.received: // a reader without notice of the pause needs none of its end
		n.known, n.statusUnknown, n.statusUndecided = "", true, true
	default:
		n.pending = append(n.pending, one)
	}
}

// finish drops pending frames: the terminal frame replaces them.
func (n *notices) finish(cleanups int) {
	n.pending, n.known, n.attachedPaused = nil, "", false
	n.extraTruncated += cleanups
}

// reopened records that a reset ended a pause: a status frame is allowed in addition to the truncated one.
func (n *notices) reopened() { n.known, n.statusUnknown, n.attachedPaused = "", true, false }

// stall notes that the reader takes nothing for a while. The server may close such a connection, and needn't notify it of a
// pause that is over: helix.lifecycle.slow-reader.
func (n *notices) stall() { n.stalled, n.mayClose, n.known = true, true, "" }

// untold reports whether a chunk comes instead of the frame that notifies a reader of the pause during which it attached: it
// was written after the reader had taken another one in that pause, so that it isn't among those before the frame.
func (n *notices) untold(c *Chunk, written int, status Status) bool {
	if n.since == 0 && status == Paused {
		n.since = written
	}
	return n.attachedPaused && !n.received && !n.stalled && n.since > 0 && c.index >= n.since
}

// requirement is the one that asks for the first pending notice.
func (n *notices) requirement() string {
	switch first := n.pending[0]; {
	case first.kind == "status":
		return "helix.status.frames"
	case first.reset:
		return "helix.truncation.reset-notifies"
	}
	return "helix.truncation.notifies"
}

// takeStatus compares a status frame with the allowed ones.
func (n *notices) takeStatus(m *frame.Content, occasions model.OccasionCounts) error {
	status := Status(m.Status)
	n.received = n.received || status == Paused
	i := slices.IndexFunc(n.pending, func(p notice) bool { return p.kind == "status" })
	switch {
	case i >= 0 && n.pending[i].status == status:
		n.pending = slices.Delete(n.pending, i, i+1)
		if !n.statusUnknown && !n.statusUndecided && !n.stalled {
			n.known = status
		}
		occasions.Saw("helix.status.frames")
	case n.known != "" && n.known != status: // a repeated frame does no harm
		return model.Violated("helix.status.not-stored", "none, or one that says "+string(n.known), m.Status, "a status frame came that says otherwise than how things are")
	}
	return nil
}

// takeTruncated compares a truncated frame with those that may come after a delivered id.
func (n *notices) takeTruncated(m *frame.Content, delivered int64, occasions model.OccasionCounts) error {
	if m.AtSequence.OK && m.AtSequence.N < delivered {
		return model.Violated("helix.truncation.covers-delivered", "at least "+ids(delivered), optional(m.AtSequence), "the atSequence of a truncated frame is lower than what came before")
	}
	i := slices.IndexFunc(n.pending, func(p notice) bool { return p.kind == "truncated" })
	named := i >= 0 && m.TruncatedAtStep == (frame.Number{N: int64(n.pending[i].step), OK: true})
	switch {
	case n.extraTruncated > 0 && !named:
		n.extraTruncated--
	case i < 0:
		return model.Violated("helix.truncation.not-later", "no truncated frame", "one to step "+optional(m.TruncatedAtStep),
			"a reader was told of a removal that it knew of, or that was before its time")
	case !named:
		rule := map[bool]string{true: "helix.truncation.reset-notifies", false: "helix.truncation.step"}[n.pending[i].reset]
		return model.Violated(rule, strconv.Itoa(n.pending[i].step), optional(m.TruncatedAtStep), "truncatedAtStep isn't the step of the cleanup")
	default:
		one := n.pending[i]
		if n.extraTruncated == 0 { // else it may be an extra one, and the expected one still comes
			n.cleanups = one.ordinal
		}
		n.pending = slices.Delete(n.pending, i, i+1)
		n.notified = true
		if one.reset {
			occasions.Saw("helix.truncation.reset-notifies")
		} else {
			occasions.Saw("helix.truncation.notifies")
			occasions.Saw("helix.truncation.step")
		}
	}
	n.mayClose = true
	return nil
}
