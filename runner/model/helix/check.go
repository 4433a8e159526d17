package helix

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

func decodedJSON(text []byte) (v any, err error) {
	err = json.Unmarshal(text, &v)
	return v, err
}

// Check compares everything that is stored with what the run must have said and done by now.
func (r *Run) Check(all []*Produced) error {
	switch {
	case r.between:
		return nil
	case len(all) == 0:
		return r.announced(nil)
	}
	root := rootOf(all)
	var news []*Produced
	for _, p := range all {
		switch kind := p.kind(); {
		case p.ID <= r.looked:
		case p.text("agentId") == root:
			news = append(news, p)
		case kind == "run_resumed" || kind == "stream_resync":
			return breach("helix.runs.same-session", root, p.text("agentId"), "a run of the session has another agentId")
		}
	}
	r.looked = all[len(all)-1].ID
	if err := r.announced(news); err != nil {
		return err
	}
	if err := r.gaveUp(news); err != nil {
		return err
	}
	j := &judging{ledger: r.ledger, all: all, counts: counting(all), lenient: r.lenient()}
	h := hear(all, j.counts, root)
	deeds := r.deeds()
	p := planned(deeds)
	if err := r.said(p, h); err != nil {
		return err
	}
	if err := j.done(p, h, deeds); err != nil {
		return err
	}
	if err := r.saved(h, all, root); err != nil {
		return err
	}
	return r.put(h)
}

// rootOf is the agentId of the run's agent, that of the first chunk.
func rootOf(all []*Produced) string { return all[0].text("agentId") }

// lenient says whether a step was dropped and readers weren't told, which is recommended only.
func (r *Run) lenient() bool {
	return slices.ContainsFunc(r.past, func(s *step) bool { return s.dropped && !s.discarded })
}

// deeds are those of all steps that count, and of the open one.
func (r *Run) deeds() []*deed {
	var out []*deed
	for _, s := range slices.Concat(r.past, r.live) {
		if !s.dropped || r.status == RunFailed && !s.discarded && s == r.past[len(r.past)-1] {
			out = append(out, s.deeds...)
		} else if r.status == RunFailed && s == r.past[len(r.past)-1] { // its error counts nevertheless
			out = append(out, slices.DeleteFunc(slices.Clone(s.deeds), func(d *deed) bool { return d.fault == nil || d.fault.goesOn })...)
		}
	}
	return out
}

// announced looks for the chunks that what was done must have written.
func (r *Run) announced(news []*Produced) error {
	for _, d := range r.due {
		i := slices.IndexFunc(news, func(p *Produced) bool { return p.kind() == d.kind && (d.member == "" || p.member(d.member) == d.want) })
		if i < 0 {
			want := d.kind
			if d.member != "" {
				want += fmt.Sprintf(" with the %s %v", d.member, d.want)
			}
			return breach(d.rule, want, fmt.Sprintf("%d other chunks", len(news)), "what was done to the run wasn't written")
		}
		r.ledger.saw(d.rule)
	}
	r.due = nil
	for _, p := range news {
		switch p.kind() {
		case "run_paused":
			r.paused = true
		case "run_resumed":
			r.paused = false
			r.ledger.saw("helix.runs.same-session")
		case "run_interrupted":
			if p.text("checkpointId") == "" {
				return breach("helix.runs.interrupt-checkpoint", "a checkpointId", clipped(p.Body), "a run that was interrupted can't be resumed from anywhere")
			}
			r.ledger.saw("helix.runs.interrupt-checkpoint")
		}
	}
	return nil
}

// gaveUp looks whether readers were told of a step that was dropped: helix.checkpoints.discarded.
func (r *Run) gaveUp(news []*Produced) error {
	if len(r.past) == 0 {
		return nil
	}
	last := r.past[len(r.past)-1]
	if !last.dropped || last.looked {
		return nil
	}
	last.looked = true
	last.discarded = slices.ContainsFunc(news, func(p *Produced) bool { return p.kind() == "step_discarded" })
	switch {
	case last.discarded:
		r.ledger.saw("helix.checkpoints.discarded")
	case last.wrote:
		return breach("helix.checkpoints.discarded", "a step_discarded", "none", "a step was dropped that had changed the state")
	}
	return nil
}

// said compares the text of the agent. That of a dropped step counts where readers weren't told.
func (r *Run) said(p *plan, h *heard) error {
	got := h.text.String()
	if !p.sameText(got) {
		if !r.lenient() || !r.withDropped().sameText(got) {
			rule := "helix.text.concatenation"
			if len(r.halt.calls) > 0 && strings.HasPrefix(got, p.text.String()) && r.halt.calls[0].consent {
				rule = "helix.approval.suspended"
			}
			return breach(rule, clipped([]byte(p.text.String())), clipped([]byte(got)), "the text of the agent is another")
		}
	}
	r.ledger.saw("helix.text.concatenation")
	if len(r.halt.calls) > 0 && r.halt.calls[0].consent {
		r.ledger.saw("helix.approval.suspended")
	}
	return nil
}

// withDropped is what was said where what was dropped counts.
func (r *Run) withDropped() *plan {
	var deeds []*deed
	for _, s := range slices.Concat(r.past, r.live) {
		if !s.dropped || !s.discarded {
			deeds = append(deeds, s.deeds...)
		}
	}
	return planned(deeds)
}

// saved compares the state, and looks for the words that it was saved.
func (r *Run) saved(h *heard, all []*Produced, root string) error {
	rule, commits := "helix.state.sum", 0
	r.checkpoints = nil
	for _, p := range all {
		switch {
		case p.kind() == "stream_resync":
			rule = "helix.state.after-resync"
		case p.text("agentId") != root:
		case p.kind() == "step_committed":
			commits++
		case p.kind() == "checkpoint_created":
			if n, _ := p.member("stepCount").(float64); n > 0 {
				r.checkpoints = append(r.checkpoints, p.text("checkpointId"))
			}
		}
	}
	if err := sums(h.patches, map[string]any{}, r.state(), rule); err != nil {
		return err
	}
	r.ledger.saw(rule)
	for _, e := range r.state() {
		if e.loose {
			r.ledger.saw("helix.state.parallel-appends")
		}
	}
	done := r.committed()
	if len(r.checkpoints) != len(done) { // whose is which isn't known
		r.checkpoints = nil
	}
	wrote, text := 0, 0
	for i, s := range done {
		if s.wrote {
			wrote++
		}
		text += planned(s.deeds).text.Len()
		if len(h.saved) == len(done) && h.saved[i] < text {
			return breach("helix.checkpoints.after-step", fmt.Sprintf("%d bytes of text before it", text), fmt.Sprint(h.saved[i]), "a checkpoint came before what it covers")
		}
		r.ledger.saw("helix.checkpoints.after-step")
	}
	if commits < wrote {
		return breach("helix.checkpoints.committed", fmt.Sprintf("%d step_committed", wrote), fmt.Sprint(commits), "a step that changed the state wasn't committed")
	}
	r.ledger["helix.checkpoints.committed"] += wrote
	return nil
}

// put compares the output: helix.output.on-success.
func (r *Run) put(h *heard) error {
	switch {
	case r.status != RunCompleted && len(h.outputs) > 0:
		return breach("helix.output.on-success", "no output", clipped(h.outputs[0].Body), "a run that isn't complete sent an output")
	case r.status == RunFailed:
		r.ledger.saw("helix.output.on-success")
	case r.status != RunCompleted:
	case r.output == nil && len(h.outputs) > 0:
		return breach("helix.output.unchanged", "no output", clipped(h.outputs[0].Body), "an agent that returned nothing sent an output")
	case r.output != nil:
		r.ledger.saw("helix.output.unchanged")
		return output(h, r.output)
	}
	return nil
}

// Snapshot judges a snapshot that was taken while the run rested: with what comes after it, it makes the whole.
func (r *Run) Snapshot(body []byte, all []*Produced) error {
	var got struct {
		State          any      `json:"state"`
		StreamSequence *float64 `json:"streamSequence"`
		Messages       []struct {
			ID    string `json:"id"`
			Role  string `json:"role"`
			Parts []struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"parts"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &got); err != nil || got.StreamSequence == nil || len(all) == 0 || r.between {
		return nil // the schema of the document says what it must hold
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(p *Produced) bool { return float64(p.ID) <= *got.StreamSequence })
	h := hear(rest, counting(rest), rootOf(all))
	rule := "helix.snapshot.complete"
	if len(h.patches) == 0 {
		rule = "helix.snapshot.exact"
	}
	if err := sums(h.patches, got.State, r.state(), rule); err != nil {
		return err
	}
	r.ledger.saw(rule)
	var text strings.Builder
	for _, m := range got.Messages {
		if m.Role != "" && m.Role != "assistant" {
			continue
		}
		for _, p := range m.Parts {
			if p.Type == "text" {
				text.WriteString(p.Text)
			}
		}
	}
	p := planned(r.deeds())
	if len(p.kids) > 0 { // whose words stand in a message isn't said
		return nil
	}
	if whole := text.String() + h.text.String(); !p.sameText(whole) && !(r.lenient() && r.withDropped().sameText(whole)) {
		return breach("helix.snapshot.text", clipped([]byte(p.text.String())), clipped([]byte(whole)), "a snapshot and what comes after it make another text")
	}
	r.ledger.saw("helix.snapshot.text")
	return nil
}

// Finished judges the terminal frame, nil if none came: helix.output.ends. How the stream of a run finishes otherwise is
// recommended only.
func (r *Run) Finished(terminal *Frame) error {
	var m message
	if terminal != nil && json.Unmarshal(terminal.Data, &m) != nil {
		return nil // the wire is judged by others
	}
	if terminal != nil && !r.Over() {
		return r.early(m.Type)
	}
	r.survived()
	if r.status != RunCompleted || r.output == nil {
		return nil
	}
	if m.Type != "end" {
		return breach("helix.output.ends", "an end frame", m.Type, "a run that sent its output finished otherwise")
	}
	r.ledger.saw("helix.output.ends")
	if m.FinalOutput == nil {
		return nil
	}
	if got, err := decodedJSON(m.FinalOutput); err != nil || !equal(*r.output, got) {
		return breach("helix.output.final-output", clipped([]byte(plain(*r.output))), clipped(m.FinalOutput), "the end frame has another output")
	}
	r.ledger.saw("helix.output.final-output")
	return nil
}

// trouble is what a run that goes on has survived, by requirement.
func (r *Run) trouble() []string {
	var out []string
	for _, d := range r.deeds() {
		switch {
		case d.kind == "tool" && d.over && d.fails != nil:
			out = append(out, "helix.tools.failure-goes-on")
		case d.kind == "subagent" && d.over:
			out = append(out, "helix.subagents.child-terminal")
		case d.fault != nil && d.fault.goesOn:
			out = append(out, "helix.errors.goes-on")
		}
	}
	return out
}

// early judges a terminal frame that came before the run was over. Where nothing has failed, that is recommended against.
func (r *Run) early(kind string) error {
	all := r.trouble()
	if len(all) == 0 {
		return nil
	}
	return breach(all[len(all)-1], "no terminal frame", kind, "the stream of a run was finished that goes on")
}

func (r *Run) survived() {
	for _, rule := range r.trouble() {
		r.ledger.saw(rule)
	}
}
