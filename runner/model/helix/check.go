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

// checks compare what a run has written with what it had to.
type checks struct{ *Run }

// Check compares everything that is stored with what the run must have said and done by now.
func (r checks) Check(all []*Produced) error {
	switch {
	case r.between && !r.crashed:
		return r.undecided(all)
	case len(all) == 0:
		return r.written(nil)
	}
	news, err := r.news(all)
	if err != nil {
		return err
	}
	r.turned(news)
	r.reads(all)
	if r.between {
		return nil
	}
	if err := r.written(news); err != nil {
		return err
	}
	if err := r.gaveUp(news); err != nil {
		return err
	}
	roots := rootsOf(all)
	r.childCodes = codesOf(all, roots)
	counts := counting(all)
	if err := r.orphan(all, roots); err != nil {
		return err
	}
	j := &judging{ledger: r.ledger, all: all, of: agentViews(all, counts), allowsDroppedSteps: r.allowsDroppedSteps(), complete: r.status == RunCompleted}
	h := receive(all, counts, roots)
	for _, s := range slices.Concat(r.past, r.live) { // where anything was may have changed
		for _, d := range inOrder(s.executedSteps) {
			d.from, d.to = -1, -1
		}
	}
	executedSteps := r.executedSteps()
	p := planned(executedSteps)
	err = r.said(p, h)
	if err == nil {
		err = j.done(p, h, executedSteps)
	}
	if err != nil {
		return r.unlessUndecided(unended(executedSteps, h, err))
	}
	if err := r.graceful(p, h, all); err != nil {
		return err
	}
	if err := r.savedCheckpoints(h, all, roots); err != nil {
		return err
	}
	if err := r.numbered(all); err != nil {
		return err
	}
	return r.put(h)
}

// news are the chunks of the run's agent that weren't looked at before.
func (r checks) news(all []*Produced) ([]*Produced, error) {
	root, branches := all[0].text("agentId"), 0
	roots := rootsOf(all)
	var news []*Produced
	for _, p := range all {
		kind := p.kind()
		if branches < r.branches && kind == "stream_resync" && p.text("reason") == "branch" {
			root, branches = p.text("agentId"), branches+1
		}
		switch {
		case p.ID <= r.looked:
		case p.text("agentId") == root:
			news = append(news, p)
		case kind == "run_resumed" || kind == "stream_resync":
			return nil, violation("helix.runs.same-session", root, p.text("agentId"), "a run of the session has another agentId")
		case roots[p.text("agentId")]:
			news = append(news, p)
		}
	}
	r.looked = all[len(all)-1].ID
	return news, nil
}

// rootsOf are the agentIds of the run's agent: after a branch it has another one.
func rootsOf(all []*Produced) map[string]bool {
	roots := map[string]bool{}
	for i, p := range all {
		if i == 0 || p.kind() == "stream_resync" && p.text("reason") == "branch" {
			roots[p.text("agentId")] = true
		}
	}
	return roots
}

// allowsDroppedSteps says whether a step was dropped and readers weren't told, which is recommended only.
func (r checks) allowsDroppedSteps() bool {
	return slices.ContainsFunc(r.past, func(s *step) bool { return s.dropped && !s.discarded })
}

// executedSteps are those of all steps that count, and of the open one.
func (r checks) executedSteps() []*executedStep {
	var out []*executedStep
	for _, s := range slices.Concat(r.past, r.live) {
		if !s.dropped || r.status == RunFailed && !s.discarded && s == r.past[len(r.past)-1] {
			out = append(out, s.executedSteps...)
		} else if r.status == RunFailed && s == r.past[len(r.past)-1] { // its error counts nevertheless
			out = append(out, fatal(s.executedSteps)...)
		}
	}
	return out
}

// fatal are the deeds that ended the run, those of branches too.
func fatal(executedSteps []*executedStep) (out []*executedStep) {
	for _, d := range executedSteps {
		if d.fault != nil && !d.fault.goesOn {
			out = append(out, d)
		}
		for _, side := range d.sides {
			out = append(out, fatal(side)...)
		}
	}
	return out
}

// written looks for the chunks that what was done must have written.
func (r checks) written(news []*Produced) error {
	for _, d := range r.expected {
		i := slices.IndexFunc(news, func(p *Produced) bool { return p.kind() == d.kind && (d.member == "" || p.member(d.member) == d.want) })
		if i < 0 {
			want := d.kind
			if d.member != "" {
				want += fmt.Sprintf(" with the %s %v", d.member, d.want)
			}
			return violation(d.rule, want, fmt.Sprintf("%d other chunks", len(news)), "what was done to the run wasn't written")
		}
		r.ledger.Saw(d.rule)
	}
	r.expected = nil
	for _, p := range news {
		switch p.kind() {
		case "run_paused":
			r.paused = true
		case "run_resumed":
			r.paused = false
			r.ledger.Saw("helix.runs.same-session")
		case "stream_resync": // an interruption before it could name what is gone since
			r.from = ""
		case "run_interrupted":
			if p.text("checkpointId") == "" {
				return violation("helix.runs.interrupt-checkpoint", "a checkpointId", clipped(p.Body), "a run that was interrupted can't be resumed from anywhere")
			}
			r.from = p.text("checkpointId")
			r.ledger.Saw("helix.runs.interrupt-checkpoint")
		}
	}
	return nil
}

// gaveUp looks whether readers were told of a step that was dropped: helix.checkpoints.discarded.
func (r checks) gaveUp(news []*Produced) error {
	if len(r.past) == 0 {
		return nil
	}
	last := r.past[len(r.past)-1]
	if !last.dropped || last.looked {
		return nil
	}
	last.looked = true
	last.discarded = last.discarded || slices.ContainsFunc(news, func(p *Produced) bool { return p.kind() == "step_discarded" })
	switch {
	case last.excused:
	case last.discarded:
		r.ledger.Saw("helix.checkpoints.discarded")
	case last.wrote:
		return violation("helix.checkpoints.discarded", "a step_discarded", "none", "a step was dropped that had changed the state")
	}
	return nil
}

// said compares the text of the agent. That of a dropped step counts where readers weren't told.
func (r checks) said(p *plan, h *received) error {
	got := h.text.String()
	if !p.sameText(got) {
		if !r.allowsDroppedSteps() || !r.withDropped(0).sameText(got) {
			rule := "helix.text.concatenation"
			if r.superseded && len(got) > p.text.Len() {
				rule = "helix.runs.superseded-silent"
			}
			if len(r.stopState.calls) > 0 && strings.HasPrefix(got, p.text.String()) && r.stopState.calls[0].consent {
				rule = "helix.approval.suspended"
			}
			return unequal(rule, p.text.String(), got, "the text of the agent is another")
		}
	}
	r.ledger.Saw("helix.text.concatenation")
	if r.superseded {
		r.ledger.Saw("helix.runs.superseded-silent")
	}
	if len(r.stopState.calls) > 0 && r.stopState.calls[0].consent {
		r.ledger.Saw("helix.approval.suspended")
	}
	return nil
}

// withDropped is what was said where of the steps that were dropped those from one on count, if readers weren't told.
func (r checks) withDropped(from int) *plan {
	var executedSteps []*executedStep
	for i, s := range slices.Concat(r.past, r.live) {
		if !s.dropped || !s.discarded && i >= from {
			executedSteps = append(executedSteps, s.executedSteps...)
		}
	}
	return planned(executedSteps)
}

// emittedDropped reports whether a snapshot and what comes after it make a text with steps that were dropped, of which
// readers weren't told: the snapshot lacks those before its place, and who goes on reading hears those behind it.
func (r checks) emittedDropped(whole string) bool {
	for from, s := range r.past {
		if s.dropped && !s.discarded && r.withDropped(from).sameText(whole) {
			return true
		}
	}
	return false
}

// put compares the output: helix.output.on-success.
func (r checks) put(h *received) error {
	switch {
	case len(h.outputs) > 0 && r.stopState.fatal != nil && r.stopState.fatal.rule == "helix.output.schema":
		return violation("helix.output.schema", "no output", clipped(h.outputs[0].Body), "an output was sent that breaks its schema")
	case r.status != RunCompleted && len(h.outputs) > 0:
		return violation("helix.output.on-success", "no output", clipped(h.outputs[0].Body), "a run that isn't complete sent an output")
	case r.status == RunFailed:
		r.ledger.Saw("helix.output.on-success")
	case r.status != RunCompleted:
	case r.output == nil && len(h.outputs) > 0:
		return violation("helix.output.unchanged", "no output", clipped(h.outputs[0].Body), "an agent that returned nothing sent an output")
	case r.output != nil:
		r.ledger.Saw("helix.output.unchanged")
		if r.schema != nil {
			r.ledger.Saw("helix.output.schema")
		}
		return output(h, r.output)
	}
	return nil
}

// Finished judges the terminal frame, nil if none came: helix.output.ends. How the stream of a run finishes otherwise is
// recommended only.
func (r checks) Finished(terminal *Frame) error {
	var m message
	if terminal != nil && json.Unmarshal(terminal.Data, &m) != nil {
		return nil // the wire is judged by others
	}
	if terminal != nil && !r.Over() {
		return r.early(m.Type)
	}
	if r.survived(); r.status == RunFailed {
		return r.failedWith(m)
	}
	if r.status != RunCompleted {
		return nil
	}
	if r.output == nil {
		return r.speechless(m)
	}
	if m.Type != "end" {
		return violation("helix.output.ends", "an end frame", m.Type, "a run that sent its output finished otherwise")
	}
	r.ledger.Saw("helix.output.ends")
	if m.FinalOutput == nil {
		return nil
	}
	if got, err := decodedJSON(m.FinalOutput); err != nil || !equal(*r.output, got) {
		return unequal("helix.output.final-output", []byte(ascii(*r.output)), m.FinalOutput, "the end frame has another output")
	}
	r.ledger.Saw("helix.output.final-output")
	return nil
}

// speechless looks at the output with which the stream of a run ends whose root agent returned none. It may be nothing, or
// what the agent said, which some take for its output: helix.output.final-output.
func (r checks) speechless(m message) error {
	if m.Type != "end" || m.FinalOutput == nil {
		return nil
	}
	got, err := decodedJSON(m.FinalOutput)
	said := spoken(r.script)
	text, isText := got.(string)
	if err == nil && (got == nil || isText && strings.Contains(said, strings.TrimSpace(text))) {
		return nil
	}
	return violation("helix.output.final-output", "no output", clipped(m.FinalOutput), "the end frame has an output, and the root agent returned none")
}

// spoken is every text that an agent says, its branches one after the other.
func spoken(lists [][]*scriptStep) (said string) {
	for _, list := range lists {
		for _, a := range list {
			switch a.kind {
			case "text":
				said += a.text
			case "parallel":
				said += spoken(a.branches)
			}
		}
	}
	return said
}

// codesOf are the codes of the errors of sub-agents.
func codesOf(all []*Produced, roots map[string]bool) map[string]bool {
	codes := map[string]bool{}
	for _, p := range all {
		if p.kind() == "error" && !roots[p.text("agentId")] {
			codes[p.text("code")] = true
		}
	}
	return codes
}

// failedWith compares the code of a fail frame with that of the failure: helix.errors.fail-code.
func (r checks) failedWith(m message) error {
	f := r.stopState.fatal
	if m.Type != "fail" || m.Code == "" || f == nil || f.code == "" {
		return nil
	}
	if f.orNone && (m.Code == f.code || !r.childCodes[m.Code]) {
		return nil
	}
	if m.Code != f.code {
		return violation("helix.errors.fail-code", f.code, m.Code, "the fail frame has another code than the error that the run failed with")
	}
	r.ledger.Saw("helix.errors.fail-code")
	return nil
}

// trouble is what a run that goes on has survived, by requirement.
func (r checks) trouble() []string {
	var out []string
	for _, d := range r.executedSteps() {
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
func (r checks) early(kind string) error {
	all := r.trouble()
	if r.superseded && kind == "fail" {
		all = append(all, "helix.runs.superseded-graceful")
	}
	if len(all) == 0 {
		return nil
	}
	return violation(all[len(all)-1], "no terminal frame", kind, "the stream of a run was finished that goes on")
}

func (r checks) survived() {
	for _, rule := range r.trouble() {
		r.ledger.Saw(rule)
	}
}
