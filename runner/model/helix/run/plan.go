package run

import (
	"slices"
	"strings"
)

// plan lists the executed steps of one agent by their kind, in the order of its script.
type plan struct {
	text        strings.Builder        // that the agent emits, concatenated
	texts       []*executedStep        // those with a text
	branchTexts []string               // the text with one of each set of concurrent branches: each keeps its order
	several     bool                   // there were concurrent branches, whose chunks may come in any order
	blocks      []*executedStep        // of reasoning
	calls       []*executedStep        // of tools
	customs     []*executedStep        // custom events
	suspended   map[*executedStep]bool // those of branches
	positions   map[*executedStep]int  // bytes of text before a custom event that no branch emits
	faults      []*executedStep        // that must be reported, fatal or not
	subAgents   []*executedStep        // that were started
}

func planned(executedSteps []*executedStep) *plan {
	p := &plan{positions: map[*executedStep]int{}, suspended: map[*executedStep]bool{}}
	p.add(executedSteps, false)
	if p.several {
		p.branchTexts = branchTexts(executedSteps)
	}
	return p
}

func (p *plan) add(executedSteps []*executedStep, suspended bool) {
	for _, d := range executedSteps {
		d.from, d.to, p.suspended[d] = -1, -1, suspended
		switch d.kind {
		case "text":
			p.text.WriteString(d.scriptStep.text)
			p.texts = append(p.texts, d)
		case "thinking":
			if d.scriptStep.text != "" {
				p.blocks = append(p.blocks, d)
			}
		case "tool":
			p.calls = append(p.calls, d)
		case "custom":
			p.customs = append(p.customs, d)
			if !suspended {
				p.positions[d] = p.text.Len()
			}
		case "error", "stop":
			p.faults = append(p.faults, d)
		case "subagent":
			p.subAgents = append(p.subAgents, d)
		case "parallel":
			p.several = p.several || len(d.sides) > 1
			for _, side := range d.sides {
				p.add(side, true)
			}
		}
	}
}

// branchTexts returns the texts of executed steps, each with another one of concurrent branches.
func branchTexts(executedSteps []*executedStep) []string {
	all := []string{""}
	for _, d := range executedSteps {
		switch d.kind {
		case "text":
			for i := range all {
				all[i] += d.scriptStep.text
			}
		case "parallel":
			var sides []string
			for _, side := range d.sides {
				sides = append(sides, branchTexts(side)...)
			}
			for len(all) < len(sides) {
				all = append(all, all[0])
			}
			for i := range all {
				if len(sides) > 0 {
					all[i] += sides[i%len(sides)]
				}
			}
		}
	}
	return all
}

// sameText reports whether a text is the planned one; texts of branches may be mixed.
func (p *plan) sameText(got string) bool {
	want := p.text.String()
	if want == got || !p.several || len(want) != len(got) {
		return want == got
	}
	var letters [256]int
	for i := range len(want) {
		letters[want[i]]++
		letters[got[i]]--
	}
	return letters == [256]int{} && !slices.ContainsFunc(p.branchTexts, func(strand string) bool { return !within(strand, got) })
}

// within reports whether the bytes of a text are in another one in their order, with others between.
func within(text, whole string) bool {
	at := 0
	for i := 0; i < len(whole) && at < len(text); i++ {
		if whole[i] == text[at] {
			at++
		}
	}
	return at == len(text)
}
