package draw

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
)

// writing is the state of scripts of runs: what was named so far, and where in a script it is.
//
// Invariants: each of keys and lists is the key of a value or of a list that this session's scripts may have set; a branch
// begins without keys. depth and concurrently are 0 and false outside of sub-agents and branches. named, runs and at only grow.
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
}

// waitsFor limits the waits of script steps. A run of which one part waits at a barrier and another one for an answer may be
// running or paused, so that branches beside each other all wait for the same kind of thing.
type waitsFor string

const (
	anything  waitsFor = ""
	nothing   waitsFor = "nothing"
	barriers  waitsFor = "barriers"
	decisions waitsFor = "answers"
)

type scriptSteps = []any

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

// emitted draws a text or a reasoning of the model, with a text of the catalogue now and then.
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

// textsOfOne is how many texts of the catalogue one text holds that is made of several.
const textsOfOne = 12

// joined are texts of the catalogue, from the nth on, as one.
func joined(n int) string {
	var b strings.Builder
	for i := n; i < n+textsOfOne; i++ {
		class, of := campaign.TextClass(i)
		b.WriteString(campaign.Text(class, of, 1))
	}
	return b.String()
}

// columnText is a text that is longer than many a column, buffer and line: of more than 64 KiB.
func columnText(w *writing) string {
	return strings.Repeat(fmt.Sprintf("large-%d. ", w.next()), (64<<10)/9+w.r.IntN(1<<10))
}
