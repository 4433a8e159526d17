package draw

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// writing makes scripts of runs.
type writing struct {
	r                *rand.Rand
	s                runSubject
	claims           func(string) bool
	at               int // which text and which value of the catalogue come next
	named            int // so far
	runs             int
	first            bool     // program of its subject: its first script holds everything of a kind
	keys             []string // of the state
	lists            []string
	names            map[string][]string // that were given so far, by what they name
	waits            waitsFor
	concurrently     bool // branches are written, which work side by side
	subAgentOutcomes int  // of sub-agents that ended badly, so far: each ends otherwise than the one before
	gates            int  // that stand before calls, so far
	depth            int  // how many sub-agents are around
	left             int  // acts that a script may still have within others

	// What it writes, by what it is about.
	bursts bursts
	shapes shapes
	kinds  kinds
}

// waitsFor is what acts may wait for. A run of which one part waits at a barrier and another one for an answer may be
// running or paused, so that branches beside each other all wait for the same kind of thing.
type waitsFor string

const (
	anything  waitsFor = ""
	nothing   waitsFor = "nothing"
	barriers  waitsFor = "barriers"
	decisions waitsFor = "answers"
)

type scriptSteps = []any

// script makes one. Some have many short steps, so that there are many checkpoints.
func (w *writing) script() string {
	w.runs++
	w.left = mostWithin
	n, most := 1+w.r.IntN(w.s.steps), 5
	switch {
	case w.s.long && w.first && w.runs == 1: // nowhere but at its end does it wait
		n, most, w.waits = 258+w.r.IntN(3), 1, nothing
	case w.r.IntN(7) == 0:
		n, most = 9+w.r.IntN(22), 1
	}
	burst := w.r.IntN(2 * n) // in every second script
	rests := n < 9 && w.s.kinds[program.Interrupt] > 1 && w.r.IntN(2) == 0
	steps := make([]any, 0, n)
	for i := range n {
		step := w.scriptSteps(1 + w.r.IntN(most))
		if n > 100 { // each is a message
			step = append(step, one("text", w.emitted()))
		}
		if rests { // wherever it is stopped, a step is open
			step = slices.Insert(step, w.r.IntN(len(step)+1), w.await())
		}
		if i == burst {
			step = append(step, w.bursts.burst()...)
		}
		steps = append(steps, step)
	}
	if w.waits = anything; w.first && w.runs == 1 {
		if w.s.long { // what is much comes late, and no step before carries it along
			steps = slices.Insert(steps, len(steps)-1, w.kinds.everything()...)
		} else {
			steps = append(w.kinds.everything(), steps...)
		}
	}
	last := steps[len(steps)-1].(scriptSteps)
	if w.r.IntN(3) > 0 || w.first && w.runs == 1 { // where it can be stopped, and looked at
		last = append(last, w.await())
	}
	switch end := campaign.Pick(w.r, w.s.ends...); end {
	case "output":
		last = append(last, one("output", w.output()))
	case "":
	default:
		last = append(last, w.branched(w.fatal(end)))
	}
	steps[len(steps)-1] = last
	return asText(steps)
}

// branched is an act that now and then stands in a branch, what is over there being over everywhere.
func (w *writing) branched(scriptStep any) any {
	if w.r.IntN(2) == 0 {
		return scriptStep
	}
	return one("parallel", []any{scriptSteps{scriptStep}})
}

// output is what an agent returns: now and then it is large.
func (w *writing) output() any {
	switch {
	case w.s.opens == "pairs" && w.first && w.runs == 1:
		return w.kinds.column()
	case w.r.IntN(8) == 0:
		return map[string]any{"text": w.kinds.column(), "none": nil}
	}
	return w.value()
}

// fatal is an act after which its agent is done.
func (w *writing) fatal(how string) any {
	switch how {
	case "error":
		return one("error", map[string]any{"message": "it broke"})
	case "fault":
		return one("error", map[string]any{"message": "the key is wrong", "code": campaign.Pick(w.r, data.ErrorCodes...)})
	case "abort":
		return one("error", map[string]any{"message": "aborted", "abort": true})
	case "stop":
		how = campaign.Pick(w.r, "content_filter", "refusal", "broken", "unknown")
	}
	return one("stop", strings.Replace(how, "broken", "error", 1))
}

// asText is a value as JSON without an escaped quotation mark, which a feature file would take for its own.
func asText(v any) string {
	var b strings.Builder
	raw := string(data.Encode(v))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		if i++; raw[i] == '"' {
			b.WriteString(`\u0022`)
			continue
		}
		b.WriteByte('\\')
		b.WriteByte(raw[i])
	}
	return b.String()
}

func one(kind string, value any) map[string]any { return map[string]any{kind: value} }

// scriptSteps draws some.
func (w *writing) scriptSteps(n int) scriptSteps {
	kinds := slices.DeleteFunc(slices.Sorted(maps.Keys(w.s.scriptSteps)), func(k string) bool { return !w.may(k) })
	of := make([]int, len(kinds))
	for i, k := range kinds {
		of[i] = w.s.scriptSteps[k]
	}
	if w.depth > 0 || w.concurrently {
		w.left -= n
	}
	out := scriptSteps{}
	for range n {
		out = append(out, w.scriptStep(kinds[campaign.Weighted(w.r, of)])...)
	}
	return out
}

const (
	deepest    = 3  // is how deep sub-agents are nested
	mostWithin = 24 // is how many acts of branches and sub-agents a script has, about
)

// may says whether an act can be written where the script is.
func (w *writing) may(k string) bool {
	switch k {
	case "approval", "client":
		return w.claims(map[string]string{"approval": "approval", "client": "client-tool"}[k]) && (w.waits == anything || w.waits == decisions)
	case "await", "works":
		return w.waits == anything || w.waits == barriers
	case "subagent":
		return w.claims("subagents") && w.depth < deepest && w.left > 0
	case "parallel":
		return !w.concurrently && w.left > 0
	}
	return true
}

func (w *writing) scriptStep(k string) scriptSteps {
	switch k {
	case "text", "thinking":
		return w.again(one(k, w.emitted()))
	case "custom":
		event := map[string]any{"eventName": w.known("event"), "data": w.value()}
		if w.concurrently { // which of two that are alike belongs to which branch couldn't be told
			event["data"] = []any{w.next(), event["data"]}
		}
		return w.again(one(k, event))
	case "tool", "approval", "client", "works":
		return w.again(one("tool", w.tool(k)))
	case "set":
		switch form := w.r.IntN(6); {
		case form == 0 && !w.concurrently:
			return scriptSteps{one(k, map[string]any{"key": w.list(), "value": []any{w.next(), w.value()}})}
		case form == 1: // one, and another that a server may take for the same
			w.at++
			key, near := w.key(), nearlyEqual[w.at%len(nearlyEqual)]
			return scriptSteps{one(k, map[string]any{"key": key, "value": near[0]}), one(k, map[string]any{"key": key, "value": near[1]})}
		}
		return scriptSteps{one(k, map[string]any{"key": w.key(), "value": w.value()})}
	case "append":
		return w.appends(w.list())
	case "delete":
		if w.r.IntN(4) == 0 && !w.concurrently && len(w.lists) > 0 {
			return scriptSteps{one(k, map[string]any{"key": campaign.Pick(w.r, w.lists...)})}
		}
		return scriptSteps{one(k, map[string]any{"key": w.key()})}
	case "await":
		return scriptSteps{w.await()}
	case "stop":
		return scriptSteps{one(k, campaign.Pick(w.r, "end_turn", "stop_sequence", "tool_use", "max_tokens"))}
	case "error":
		e := one(k, map[string]any{"message": "again", "code": campaign.Pick(w.r, data.ErrorCodes...), "retryable": true})
		return slices.Repeat(scriptSteps{e}, 1+w.r.IntN(3))
	case "parallel":
		return scriptSteps{one(k, w.branches(2+w.r.IntN(4)))}
	}
	return scriptSteps{w.kinds.child()}
}

// appends adds items to a list. Now and then there are none, first or alone: a list that isn't there is an empty one then.
func (w *writing) appends(key string) scriptSteps {
	nothing := one("append", map[string]any{"key": key, "items": []any{}})
	some := one("append", map[string]any{"key": key, "items": w.items(1 + w.r.IntN(3))})
	switch w.r.IntN(8) {
	case 0, 1:
		return scriptSteps{nothing, some}
	case 2:
		return scriptSteps{nothing}
	case 3: // what a truth test takes for absent, and a library for a list of items
		bare := []any{"", []any{}, nil, 0.0, false, map[string]any{}, []any{""}}
		w.r.Shuffle(len(bare), func(i, j int) { bare[i], bare[j] = bare[j], bare[i] })
		return scriptSteps{one("append", map[string]any{"key": key, "items": bare[:1+w.r.IntN(len(bare))]}), some}
	case 4: // a list holds what is equal as often as it was added
		same := one("append", map[string]any{"key": key, "items": slices.Repeat(w.items(1), 2+w.r.IntN(2))})
		return scriptSteps{same, same}
	}
	return scriptSteps{some}
}

// again repeats an act now and then: who says the same twice means it. Side by side nothing is alike.
func (w *writing) again(a any) scriptSteps {
	if w.r.IntN(6) == 0 && !w.concurrently && !waiting(a) {
		return scriptSteps{a, a}
	}
	return scriptSteps{a}
}

// waiting says whether an act is a call that waits for a barrier, which opens once, or for somebody.
func waiting(a any) bool {
	t, _ := a.(map[string]any)["tool"].(map[string]any)
	return t["waits"] != nil || t["client"] != nil || t["approval"] != nil
}

func (w *writing) items(n int) []any {
	items := make([]any, n)
	for i := range items {
		items[i] = []any{w.next(), w.value()}
	}
	return items
}

// list is the key of one, often one that is there.
func (w *writing) list() string {
	if len(w.lists) == 0 || w.r.IntN(3) == 0 {
		w.lists = append(w.lists, w.name("list"))
	}
	return campaign.Pick(w.r, w.lists...)
}

// branches run side by side. Each sets keys of its own, and they append to the same lists.
func (w *writing) branches(n int) []any {
	out := []any{}
	keys, waits := w.keys, w.waits
	if w.concurrently = true; waits == anything {
		w.waits = campaign.Pick(w.r, nothing, barriers, decisions)
	}
	for range n {
		w.keys = nil
		branch := w.scriptSteps(1 + w.r.IntN(2))
		switch {
		case w.waits == barriers && w.r.IntN(3) > 0:
			branch = append(branch, one("tool", w.tool("works")))
		case w.waits == decisions && w.s.scriptSteps["approval"] > 0 && w.may("approval") && w.r.IntN(3) > 0:
			branch = append(branch, one("tool", w.tool("approval")))
		}
		out = append(out, branch)
	}
	w.keys, w.waits, w.concurrently = keys, waits, false
	return out
}

func (w *writing) await() any { return one("await", fmt.Sprintf("b%d", w.next())) }

func (w *writing) next() int {
	w.named++
	return w.named
}

// name makes one that nothing else has, with a text of the catalogue now and then.
func (w *writing) name(of string) string {
	name := fmt.Sprintf("%s-%d", of, w.next())
	if w.r.IntN(3) == 0 {
		if t := w.text(); !strings.ContainsAny(t, "\r\n") { // a server may refuse a line end in a name
			name += t
		}
	}
	return name
}

// known is a name that was given before, in every second case.
func (w *writing) known(of string) string {
	if len(w.names[of]) > 0 && w.r.IntN(2) == 0 {
		return campaign.Pick(w.r, w.names[of]...)
	}
	name := w.name(of)
	w.names[of] = append(w.names[of], name)
	return name
}

// text is the next one of the catalogue.
func (w *writing) text() string {
	w.at++
	class, i := campaign.TextClass(w.at)
	return campaign.Text(class, i, campaign.Size(w.r, 200))
}

// emitted is what a model says or thinks: of it, a text of the catalogue.
func (w *writing) emitted() string {
	return campaign.Pick(w.r, "", "", "", " ", "\n\t ", "\u00a0") + fmt.Sprintf("[%d]", w.next()) + campaign.Pick(w.r, "", " and so on. ", w.text(), w.text())
}

// value is a text or another value of the catalogue, alone or within more.
func (w *writing) value() any {
	w.at++
	all := campaign.Values()
	switch w.r.IntN(7) {
	case 6: // what is JSON itself, or looks like something else
		return alikes[w.at%len(alikes)]
	case 0:
		return w.text()
	case 1: // what a truth test takes for absent
		return campaign.Pick[any](w.r, nil, false, 0.0, "", []any{}, map[string]any{})
	case 2:
		return map[string]any{"text": w.text(), "n": w.at, "list": []any{all[w.at%len(all)]}, "none": nil}
	}
	return all[w.at%len(all)]
}
