package aep

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
)

// A part is one block as done has it, or as it was streamed.
type part struct {
	kind     string   // of done's content: text, thinking, tool_use, tool_result
	contents contents // by the ways in which blocks are compared
	optional bool     // done may leave it out
}

// ruleOf returns the requirement that a member of a block in done must fulfil.
func ruleOf(kind string, member int) string {
	switch {
	case member == entire && kind == "tool_use":
		return doneArguments
	case member == entire:
		return doneText
	case kind == "tool_use":
		return doneCall
	}
	return doneOutcome
}

// partKind returns the type that done's content has for an event.
func partKind(event string) string {
	if event == "tool_call" {
		return "tool_use"
	}
	return event
}

// done compares the last event with the blocks before it.
func (a *assembly) done(at judge.Position, object map[string]any) {
	a.closed(at)
	a.gaps(at)
	a.ofOneMessage(at, object)
	got, ok := a.partsOf(object)
	if !ok || a.blocks.uncomparable {
		return
	}
	want := a.streamed(object)
	if len(want) == 0 && len(got) == 0 {
		return // no block was streamed, so that none could be missing
	}
	a.compare(at, want, got)
}

// closed checks that no block is open.
func (a *assembly) closed(at judge.Position) {
	var open []*block
	stopped := false
	for _, b := range a.blocks.all {
		if !b.stopped && !b.ghost {
			open = append(open, b)
		}
		stopped = stopped || b.stopped && !b.ghost
	}
	a.AllClosed(judge.Brackets{
		Closed: flowBlocksClosed, LeftOpen: "done comes while a block is open", Missing: "the stop of block %s", Open: "%d open blocks",
	}, at, stopped, len(open), func() string { return open[0].id })
}

// gaps checks that the indexes of each message count from 0.
func (a *assembly) gaps(at judge.Position) {
	if a.blocks.uncomparable {
		return
	}
	for _, taken := range a.blocks.indexes {
		a.Saw(stagesIndexFromZero)
		for n := range int64(len(taken)) {
			if !taken[n] {
				a.Violation(stagesIndexFromZero, at, "the blockIndexes of the message have a gap", fmt.Sprintf("0 to %d", len(taken)-1), fmt.Sprintf("no %d", n))
				return
			}
		}
	}
}

// ofOneMessage checks that done names a message that had content. A response without content leaves the id open.
func (a *assembly) ofOneMessage(at judge.Position, object map[string]any) {
	id, _ := object["messageId"].(string)
	if id == "" || len(a.blocks.messages) == 0 {
		return
	}
	a.Saw(eventsSameMessage)
	if !slices.Contains(a.blocks.messages, judge.Hash(id)) {
		a.Violation(eventsSameMessage, at, "done has a messageId that no content had", "the messageId of the content", judge.Show(id))
	}
}

// partsOf reads the content of done, as far as its types are known.
func (a *assembly) partsOf(done map[string]any) ([]part, bool) {
	items, ok := done["content"].([]any)
	if !ok {
		return nil, false
	}
	var out []part
	for _, item := range items {
		object, _ := item.(map[string]any)
		kind, _ := object["type"].(string)
		object = a.Options.Names.Specified(kind, object)
		p := part{kind: kind}
		switch kind {
		case "text":
			p.contents[entire] = memberText(object, "text")
		case "thinking":
			if p.contents[entire] = memberText(object, "thinking"); !p.contents[entire].known {
				p.contents[entire] = memberText(object, "text")
			}
		case "tool_use", "tool_result":
			if args, given := object["args"]; given && kind == "tool_use" {
				p.contents[entire] = valueOf(args)
			}
			p.contents.note(object)
		default:
			continue
		}
		out = append(out, p)
	}
	return out, true
}

// memberText returns a member that is a text; unknown if it isn't one, as the schemas report.
func memberText(object map[string]any, name string) content {
	if text, ok := object[name].(string); ok {
		return textOf(text)
	}
	return content{}
}

// streamed lists the content that done must have. Of several messages, only that of the done event is required.
func (a *assembly) streamed(done map[string]any) []part {
	message := messageOf(done)
	several := len(a.blocks.messages) > 1 && slices.Contains(a.blocks.messages, message)
	all := slices.Clone(a.blocks.all)
	if !a.blocks.mixed {
		place := func(b *block) int { return slices.Index(a.blocks.messages, b.message) }
		slices.SortStableFunc(all, func(a, b *block) int {
			return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.index, b.index))
		})
	}
	var out []part
	for _, b := range all {
		p := part{kind: partKind(b.kind), contents: b.contents}
		if !b.stopped && b.pieces > 0 && (b.kind == "text" || b.kind == "thinking") {
			p.contents[entire] = b.spoken.text()
		}
		if b.nameUnknown {
			p.contents = contents{}
		}
		switch b.kind {
		case "text", "thinking":
			p.optional = !p.contents[entire].known || p.contents[entire].empty
		case "tool_call":
			p.optional = !b.stopped
		case "tool_result":
			p.optional = b.pieces == 0 && !b.hasFinalData
		}
		p.optional = p.optional || b.nameUnknown || several && b.message != message
		out = append(out, p)
	}
	return out
}

// compare finds how done differs from the stream: in its blocks and their order, or in the content of a block.
func (a *assembly) compare(at judge.Position, want, got []part) {
	if len(want)*len(got) > tooMany {
		return
	}
	a.Saw(doneComplete)
	if a.blocks.mixed { // the order isn't known
		if !sameKinds(want, got) {
			a.Violation(doneComplete, at, "content isn't what was streamed", kinds(want), kinds(got))
		}
		return
	}
	pairs, ok := aligned(want, got)
	if !ok {
		a.Violation(doneComplete, at, "content isn't what was streamed, in the order of blockIndex", kinds(want), kinds(got))
		return
	}
	var differ []int
	for i, p := range pairs {
		common, other := p.want.contents.against(&p.got.contents)
		for _, member := range common {
			a.Saw(ruleOf(p.want.kind, member))
		}
		if len(other) > 0 {
			differ = append(differ, i)
		}
	}
	if len(differ) > 1 && permuted(pairs, differ) {
		a.Violation(doneComplete, at, "content has another order than the blockIndexes", "the order of the blocks", fmt.Sprintf("%d blocks in other places", len(differ)))
		return
	}
	for _, i := range differ {
		_, other := pairs[i].want.contents.against(&pairs[i].got.contents)
		for _, member := range other {
			a.differs(at, i, pairs[i].want.kind, member)
		}
	}
}

// differs reports a member of a block in done, by the number of the block from 0.
func (a *assembly) differs(at judge.Position, i int, kind string, member int) {
	switch rule := ruleOf(kind, member); rule {
	case doneArguments:
		a.Violation(rule, at, "args of a tool_use block aren't those that were streamed", "what was streamed", fmt.Sprintf("another value in block %d", i+1))
	case doneText:
		a.Violation(rule, at, "the text of a block isn't the one that was streamed", "what was streamed", fmt.Sprintf("another text in block %d of type %s", i+1, kind))
	default:
		a.Violation(rule, at, members()[member]+" of a "+kind+" block isn't the one that was streamed", "what was streamed", fmt.Sprintf("another one in block %d", i+1))
	}
}

// matched is a block of the stream with the corresponding one of done.
type matched struct{ want, got part }

// tooMany bounds the work of comparing, in pairs of blocks.
const tooMany = 1 << 22

// never is the cost of a forbidden match.
const never = 1 << 30

// aligned pairs the content with the blocks in their order, by type. Optional
// blocks are passed over where the content doesn't have them; of several ways, it
// takes the one in which the fewest blocks differ.
func aligned(want, got []part) ([]matched, bool) {
	width := len(got) + 1
	cost := make([]int32, (len(want)+1)*width) // of aligning the rest of each
	for j := range got {
		cost[len(want)*width+j] = never
	}
	for i := len(want) - 1; i >= 0; i-- {
		for j := len(got); j >= 0; j-- {
			cost[i*width+j] = min(skipped(want[i], cost[(i+1)*width+j]), paired(want, got, i, j, cost, width))
		}
	}
	if cost[0] >= never {
		return nil, false
	}
	var out []matched
	for i, j := 0, 0; i < len(want); i++ {
		if paired(want, got, i, j, cost, width) == cost[i*width+j] {
			out = append(out, matched{want[i], got[j]})
			j++
		}
	}
	return out, true
}

// skipped returns the cost of leaving a streamed block out of done.
func skipped(w part, rest int32) int32 {
	if !w.optional {
		return never
	}
	return rest
}

// paired returns the cost of matching want[i] with got[j]: one for each common member that differs, and the cost of the
// blocks after both.
func paired(want, got []part, i, j int, cost []int32, width int) int32 {
	if j == len(got) || want[i].kind != got[j].kind {
		return never
	}
	rest := cost[(i+1)*width+j+1]
	if rest < never {
		for k := range want[i].contents {
			if w, g := want[i].contents[k], got[j].contents[k]; w.known && g.known && w.sum != g.sum {
				rest++
			}
		}
	}
	return rest
}

// sameKinds compares without regard to order.
func sameKinds(want, got []part) bool {
	count := map[string]int{}
	least := map[string]int{}
	for _, p := range want {
		count[p.kind]++
		if !p.optional {
			least[p.kind]++
		}
	}
	have := map[string]int{}
	for _, p := range got {
		have[p.kind]++
	}
	for kind, n := range have {
		if n > count[kind] {
			return false
		}
	}
	for kind, n := range least {
		if have[kind] < n {
			return false
		}
	}
	return true
}

// permuted reports whether the blocks that differ are the same in another order.
func permuted(pairs []matched, differ []int) bool {
	var want, got []string
	for _, i := range differ {
		common, _ := pairs[i].want.contents.against(&pairs[i].got.contents)
		w, g := pairs[i].want.kind, pairs[i].got.kind
		for _, member := range common {
			w, g = fmt.Sprint(w, member, pairs[i].want.contents[member].sum), fmt.Sprint(g, member, pairs[i].got.contents[member].sum)
		}
		want, got = append(want, w), append(got, g)
	}
	slices.Sort(want)
	slices.Sort(got)
	return slices.Equal(want, got)
}

// kinds lists the types of blocks for people, at most twelve.
func kinds(parts []part) string {
	if len(parts) == 0 {
		return "nothing"
	}
	var out []string
	for _, p := range parts {
		name := p.kind
		if p.optional {
			name += " (or not)"
		}
		out = append(out, name)
		if len(out) == 12 {
			return strings.Join(out, ", ") + "…"
		}
	}
	return strings.Join(out, ", ")
}
