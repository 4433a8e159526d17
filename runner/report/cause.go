package report

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
)

// cause is the probable common cause of several failures: one fix of the server repairs all of them.
type cause struct {
	key  string   // equal for failures that share the cause
	root string   // id of the requirement whose violation explains the others; "" for none
	text string   // a sentence for the user
	ids  []string // of the failures, in the order of the report
}

// trace recognises a cause in the transcript of a finding by the beginning of a line.
type trace struct {
	text string // the cause, for the user
	line string // beginning of a line of the finding's exchange
	want string // prefix of expected statuses that rule the cause out; "" for none
}

// traces are the causes that show in many scenarios at once, the deepest first.
var traces = []trace{
	{"the server sends the head of a stream only with its first event; it has to be flushed at once", "< no head within", ""},
	{"the server doesn't answer", "< no answer", ""},
	{"the server refuses the credential of the config", "< 401", "401"},
	{"the server refuses the credential of the config", "< 403", "403"},
	{"the server answers with an error of its own", "< 5", "5"},
	{"the connection breaks in the middle of a stream", "  == connection broke", ""},
}

// in reports whether the transcript of a finding contains the trace.
func (t trace) in(f record.Finding) bool {
	return strings.Contains("\n"+f.Exchange, "\n"+t.line) && (t.want == "" || !strings.HasPrefix(f.Want, t.want))
}

// deepest are the chapters whose failures explain others, in this order.
var deepest = []string{"wire", "http", "requests", "chunks", "ordering"}

// rank returns the position of a requirement's chapter in deepest, and len(deepest) for any other chapter.
func rank(q Requirement) int {
	if i := slices.Index(deepest, q.Chapter); i >= 0 {
		return i
	}
	return len(deepest)
}

// card groups failed requirements that one fix of the server repairs: the requirement to show first, and those that the
// same cause breaks.
type card struct {
	Requirement
	cause string        // "" if the requirements only fail in the same way
	also  []Requirement // in the order of the report
}

// cards groups the requirements with verdict v by their probable cause. Causes that explain other failures come first.
func cards(r *Report, v Verdict) []card {
	var out []card
	all, causes := byCause(r, v)
	last := ""
	for _, q := range all {
		c := causes[q.ID]
		if c.key != last || len(out) == 0 {
			out = append(out, card{Requirement: q, cause: c.text})
			last = c.key
			continue
		}
		out[len(out)-1].also = append(out[len(out)-1].also, q)
	}
	return out
}

// InOrder returns the requirements that failed or are warned of: those that head a cause in the order of the headings, and
// then the others.
func (r *Report) InOrder() []Requirement {
	var leads, others []Requirement
	for _, v := range []Verdict{Fail, Warn, Known} {
		for _, c := range cards(r, v) {
			leads, others = append(leads, c.Requirement), append(others, c.also...)
		}
	}
	return append(leads, others...)
}

// byCause returns the requirements with verdict v, causes before their consequences, and the cause of each by
// requirement id.
func byCause(r *Report, v Verdict) ([]Requirement, map[string]cause) {
	var all []Requirement
	for _, q := range r.Requirements {
		if q.Verdict == v {
			all = append(all, q)
		}
	}
	weights := evidenceOf(r, all)
	slices.SortStableFunc(all, func(a, b Requirement) int { return weights[a.ID].compare(weights[b.ID]) })
	groups := grouped(all, r)
	ofAll := func(c cause) evidence { // of the requirement that heads a cause, with the scenarios of all that it breaks
		broken := map[string]bool{}
		for _, id := range c.ids {
			maps.Copy(broken, weights[id].broken)
		}
		e := weights[cmp.Or(c.root, c.ids[0])]
		e.cause = len(broken)
		return e
	}
	slices.SortStableFunc(groups, func(a, b cause) int { return ofAll(a).compare(ofAll(b)) })
	causes := map[string]cause{}
	location := map[string]int{}
	for i, group := range groups {
		for _, id := range group.ids {
			causes[id], location[id] = group, 2*i+1
		}
		if group.root != "" {
			location[group.root] = 2 * i
		}
	}
	slices.SortStableFunc(all, func(a, b Requirement) int { return cmp.Compare(location[a.ID], location[b.ID]) })
	return all, causes
}

// grouped divides failed requirements by their probable cause, one cause for each that resembles no other. The causes are
// in the order of all.
func grouped(all []Requirement, r *Report) []cause {
	key, text, roots := map[string]string{}, map[string]string{}, map[string]string{}
	for _, q := range all {
		if i := slices.IndexFunc(traces, func(t trace) bool { return slices.ContainsFunc(q.Findings, t.in) }); i >= 0 { // a trace in an exchange is the surest sign
			key[q.ID] = traces[i].text
			text[key[q.ID]] = traces[i].text
		}
	}
	above := rootsOf(all, len(r.Scenarios))
	statuses := statusesOf(all, r)
	for id, root := range statuses {
		if _, explained := statuses[root]; !explained { // else two requirements would explain each other
			above[id] = root
			delete(above, root)
		}
	}
	for _, q := range all {
		if owed := requirementFor(q); owed != "" && owed != q.ID && slices.ContainsFunc(all, func(root Requirement) bool { return root.ID == owed }) {
			above[q.ID] = owed
			delete(above, owed) // so that the walk to the root below ends
		}
	}
	for _, q := range all {
		root := q.ID
		for above[root] != "" {
			root = above[root]
		}
		if root != q.ID && key[q.ID] == "" { // a trace counts more than a root
			if key[root] == "" {
				key[root] = "root " + root
				roots[key[root]] = root
			}
			key[q.ID] = key[root]
		}
	}
	for _, q := range all {
		if key[q.ID] == "" {
			key[q.ID] = likeness(q)
			if text[key[q.ID]] == "" {
				text[key[q.ID]] = inWords(q)
			}
		}
	}
	var out []cause
	for _, q := range all {
		i := slices.IndexFunc(out, func(c cause) bool { return c.key == key[q.ID] })
		if i < 0 {
			out = append(out, cause{key: key[q.ID], root: roots[key[q.ID]], text: text[key[q.ID]]})
			i = len(out) - 1
		}
		out[i].ids = append(out[i].ids, q.ID)
	}
	return out
}

// requirementFor returns the requirement that demands the event that is missing in all findings of q; "" if there is none.
func requirementFor(q Requirement) string {
	if len(q.Findings) == 0 || slices.ContainsFunc(q.Findings, func(f record.Finding) bool { return f.DemandedBy != q.Findings[0].DemandedBy }) {
		return ""
	}
	return q.Findings[0].DemandedBy
}

// wantedStatus matches what a step wanted that asks for a status.
var wantedStatus = regexp.MustCompile(`^[1-5]\d\d(\D|$)`)

// statusesOf returns, by the id of a requirement that mostly the judge saw broken where a step of the scenario met another
// status than it wanted, the requirement of most of these steps: what the judge finds in a response that should not be there
// follows from it.
func statusesOf(all []Requirement, r *Report) map[string]string {
	among := func(id string) bool { return slices.ContainsFunc(all, func(q Requirement) bool { return q.ID == id }) }
	steps := map[string][]string{}
	for _, q := range r.Requirements {
		for _, f := range q.Findings {
			if at := rowOf(f); f.Step != "" && wantedStatus.MatchString(f.Want) && !slices.Contains(steps[at], q.ID) {
				steps[at] = append(steps[at], q.ID)
			}
		}
	}
	out := map[string]string{}
	for _, q := range all {
		count, most, met := map[string]int{}, "", 0
		for _, f := range q.Findings {
			roots := steps[rowOf(f)]
			if len(roots) > 0 && f.Step == "" {
				met++
			}
			for _, id := range roots {
				if count[id]++; among(id) && (most == "" || count[id] > count[most]) {
					most = id
				}
			}
		}
		if most != "" && most != q.ID && 2*met > len(q.Findings) {
			out[q.ID] = most
		}
	}
	return out
}

// rootsOf returns, by id, the requirement that explains a failure because it is broken in every scenario in which the
// failed one is: one of the deepest chapters, or one that the judge found broken in more scenarios. ran is the number of
// scenarios that ran; a requirement that is broken in nearly all of them explains nothing.
func rootsOf(all []Requirement, ran int) map[string]string {
	const everywhere = 4 // one scenario in so many
	broken := make([]map[string]bool, len(all))
	seen := make([]bool, len(all)) // by the judge
	for i, q := range all {
		broken[i] = map[string]bool{}
		for _, f := range q.Findings {
			broken[i][rowOf(f)] = true
			seen[i] = seen[i] || f.Step == ""
		}
	}
	explains := func(root, q int) bool {
		deep, wide := rank(all[root]) < rank(all[q]) && rank(all[q]) == len(deepest), len(broken[root]) > len(broken[q])
		switch {
		case len(broken[q]) == 0 || ran > everywhere && len(broken[root])*everywhere > ran:
			return false
		case !deep && !(rank(all[root]) <= rank(all[q]) && seen[root] && (wide || len(broken[root]) == len(broken[q]) && !seen[q])):
			return false
		}
		for location := range broken[q] {
			if !broken[root][location] || strings.HasSuffix(location, " ") {
				return false
			}
		}
		return true
	}
	out := map[string]string{}
	for q := range all {
		best := -1
		for root := range all {
			if root != q && explains(root, q) && (best < 0 || rank(all[root]) == rank(all[best]) && len(broken[root]) > len(broken[best])) {
				best = root
			}
		}
		if best >= 0 {
			out[all[q].ID] = all[best].ID
		}
	}
	return out
}

// likeness returns a key that is equal for failures that differ only in ids, numbers and quoted values. A requirement whose
// first finding has no Got shares its key with no other.
func likeness(q Requirement) string {
	if len(q.Findings) == 0 || q.Findings[0].Got == "" {
		return "only " + q.ID
	}
	f := q.Findings[0]
	key := shape(f.Message) + "\n" + shape(f.Want)
	if !strings.HasPrefix(f.Got, nothingWithin) { // that also names the client's position, which differs from run to run
		key += "\n" + shape(f.Got)
	}
	return key
}

// nothingWithin is the prefix of Got in findings about an event that didn't come.
const nothingWithin = "nothing within"

// inWords returns the likeness as a line for the report.
func inWords(q Requirement) string {
	if len(q.Findings) == 0 {
		return ""
	}
	const room = 120
	f := q.Findings[0]
	if strings.HasPrefix(f.Got, nothingWithin) {
		return "something that had to come did not: " + OneLine(clipped(f.Want, room))
	}
	return OneLine(clipped(f.Message, room)) + "; got " + OneLine(clipped(f.Got, room))
}

var (
	quoted  = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	numbers = regexp.MustCompile(`\d+`)
)

// shape returns a text with its quoted strings and numbers masked, which differ from scenario to scenario.
func shape(s string) string {
	return numbers.ReplaceAllString(quoted.ReplaceAllString(clipped(s, 300), "…"), "0")
}

// hint returns a sentence that relates a failed requirement to those with the same cause; "" if there are none.
func (c cause) hint(id string) string {
	if len(c.ids) < 2 {
		return ""
	}
	others := slices.DeleteFunc(slices.Clone(c.ids), func(o string) bool { return o == id })
	more := ""
	if n := len(others) - 6; n > 0 {
		others, more = others[:6], fmt.Sprintf(" and %d more", n)
	}
	switch {
	case id == c.root:
		return "probably the cause of others that fail: " + strings.Join(others, ", ") + more
	case c.root != "":
		return "probably only because " + c.root + " is broken in the same scenarios; mend that first"
	}
	return "probably one cause: " + c.text + " (see " + strings.Join(others, ", ") + more + ")"
}
