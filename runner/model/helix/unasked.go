package helix

import (
	"fmt"
	"slices"
)

// asked is what was done to a run since the last look of what its readers are told.
type asked struct {
	resumes  int  // calls of which each may let it go on once
	stops    bool // it was interrupted, or has gone back
	replaced bool // its executor was, or has crashed: who recovers it may stop it and let it go on as often as it likes
}

// unasked looks for chunks which say of a run that rests that it goes on, and nobody has resumed it, and for those which say
// that it was interrupted, and nobody did: helix.runs.resumed, helix.runs.interrupted.
func (r *Run) unasked(news []*Produced) error {
	was := r.asked
	r.asked = asked{}
	resumed := 0
	for _, p := range news {
		switch kind := p.kind(); {
		case kind == "run_resumed":
			if r.rests && resumed >= was.resumes && !was.replaced && r.stays() {
				return breach("helix.runs.resumed", fmt.Sprintf("%d run_resumed", was.resumes), clipped(p.Body), "a run is %s, and says that it goes on, and nobody has resumed it", r.status)
			}
			resumed++
			r.rests = false
		case kind == "run_interrupted" && !was.stops && !was.replaced && (r.status == RunPaused || r.status == RunRunning):
			return breach("helix.runs.interrupted", "no run_interrupted", clipped(p.Body), "a run is %s, and says that it was interrupted, and nobody has interrupted it", r.status)
		case kind == "run_paused", kind == "run_interrupted", kind == "stream_resync" && was.resumes == 0:
			r.rests = true
		}
	}
	return nil
}

// stays says whether nothing but a call can let the run go on. The time of a sub-agent that waits may be over: its parent
// goes on then.
func (r *Run) stays() bool {
	if r.status != RunPaused && r.status != RunInterrupted {
		return false
	}
	return !slices.ContainsFunc(r.live, func(s *step) bool {
		return slices.ContainsFunc(inOrder(s.deeds), func(d *deed) bool { return d.timesOut })
	})
}
