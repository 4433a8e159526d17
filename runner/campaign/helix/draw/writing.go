package draw

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
)

// writing is the state of a draw of scripts: the names so far, and the position within a script.
//
// Invariants: each of keys and lists is the key of a value or of a list that this session's scripts may have set; a
// branch begins without keys. depth and concurrently are 0 and false outside of sub-agents and branches. named, runs
// and at only grow.
type writing struct {
	r                *rand.Rand          // of the program
	s                runSubject          // never changes
	claims           func(string) bool   // reports whether the target claims a capability
	at               int                 // index of the next text and the next value of the catalogue
	named            int                 // numbers given so far
	runs             int                 // scripts so far
	first            bool                // the first program of its subject: its first script has every value of a kind
	keys             []string            // keys of the state
	lists            []string            // keys of lists in the state
	names            map[string][]string // names given so far, by kind
	waits            waitsFor            // which waits the script may contain
	concurrently     bool                // within concurrent branches
	subAgentOutcomes int                 // bad ends of sub-agents so far: each is another one
	gates            int                 // gates before calls so far
	depth            int                 // how many sub-agents contain the position
	left             int                 // script steps within others that a script may still have
}

// waitsFor limits the waits of script steps. A run that waits both at a barrier and for an answer may be running or
// paused, so all concurrent branches wait for the same kind.
type waitsFor string

const (
	anything  waitsFor = ""
	nothing   waitsFor = "nothing"
	barriers  waitsFor = "barriers"
	decisions waitsFor = "answers"
)

type scriptSteps = []any

const (
	deepest    = 3  // the greatest nesting of sub-agents
	mostWithin = 24 // about the most script steps in branches and sub-agents of a script
)

// may reports whether a script step of a kind is allowed at the position.
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

// name returns a unique name, in one of three cases with a text of the catalogue.
func (w *writing) name(of string) string {
	name := fmt.Sprintf("%s-%d", of, w.next())
	if w.r.IntN(3) == 0 {
		if t := w.text(); !strings.ContainsAny(t, "\r\n") { // a server may refuse a line end in a name
			name += t
		}
	}
	return name
}

// known returns an earlier name of a kind in every second case, else a new one.
func (w *writing) known(of string) string {
	if len(w.names[of]) > 0 && w.r.IntN(2) == 0 {
		return campaign.Pick(w.r, w.names[of]...)
	}
	name := w.name(of)
	w.names[of] = append(w.names[of], name)
	return name
}

// text returns the next text of the catalogue.
func (w *writing) text() string {
	w.at++
	class, i := campaign.TextClass(w.at)
	return campaign.Text(class, i, campaign.Size(w.r, 200))
}

// emitted draws a unique text or reasoning of the model, in two of four cases with a text of the catalogue.
func (w *writing) emitted() string {
	return campaign.Pick(w.r, "", "", "", " ", "\n\t ", "\u00a0") + fmt.Sprintf("[%d]", w.next()) + campaign.Pick(w.r, "", " and so on. ", w.text(), w.text())
}

// value draws a text or another value of the catalogue, alone or within an object.
func (w *writing) value() any {
	w.at++
	all := campaign.Values()
	switch w.r.IntN(7) {
	case 6: // a text of JSON, or a value that resembles another kind
		return alikes[w.at%len(alikes)]
	case 0:
		return w.text()
	case 1: // falsy values
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

// list returns the key of a list, in two of three cases a known one.
func (w *writing) list() string {
	if len(w.lists) == 0 || w.r.IntN(3) == 0 {
		w.lists = append(w.lists, w.name("list"))
	}
	return campaign.Pick(w.r, w.lists...)
}

// asText returns a value as JSON with \u0022 for each escaped quotation mark, which would end the quotation in a
// feature file.
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

// textsOfOne is the number of texts of the catalogue that joined concatenates.
const textsOfOne = 12

// joined returns the concatenation of texts of the catalogue, from the nth on.
func joined(n int) string {
	var b strings.Builder
	for i := n; i < n+textsOfOne; i++ {
		class, of := campaign.TextClass(i)
		b.WriteString(campaign.Text(class, of, 1))
	}
	return b.String()
}

// columnText returns a text of more than 64 KiB, longer than many database columns, buffers and lines.
func columnText(w *writing) string {
	return strings.Repeat(fmt.Sprintf("large-%d. ", w.next()), (64<<10)/9+w.r.IntN(1<<10))
}
