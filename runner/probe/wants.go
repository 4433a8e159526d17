package probe

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
)

// wants compares the needs of scenarios with the routes and conditions of a target.
type wants struct {
	suite      *pack.Suite
	target     *target.Target
	routes     []pack.Route
	missing    map[string]string // calls that the target lacks, by the name of the route
	unclear    map[string]string // calls that it may lack, likewise
	lacks      []lack
	unscripted string // why the agent can't be scripted, "" if it can
}

// lack is a condition that the target doesn't meet.
type lack struct {
	needed func(step string) bool
	reason string
}

// lacking returns the conditions of a pack that a target doesn't meet.
func lacking(suite *pack.Suite, session *target.Session) []lack {
	var out []lack
	for _, c := range suite.Pack.Conditions {
		if reason := c.Lacks(session); reason != "" {
			out = append(out, lack{c.Needed, reason})
		}
	}
	return out
}

// of returns why no row of a requirement's scenarios can run: the missing call, or another reason; both are "" if one can.
// always are the names of the routes that all rows need.
func (w wants) of(q spec.Requirement) (call, reason string, always []string) {
	if w.unscripted != "" && pack.Provoked(q.Tier) {
		return "", w.unscripted, nil
	}
	if lacks := pack.Lacks(w.target, q.Tier); lacks != nil {
		return "", lacks.Error(), nil
	}
	rows, free := 0, false
	count := map[string]int{}
	for _, sc := range w.suite.Scenarios {
		if sc.Requirement != q.ID || !w.claimed(sc) {
			continue
		}
		for _, row := range sc.Rows {
			rows++
			absent, why := w.row(q.ID, row, count)
			free = free || absent == "" && why == ""
			if absent != "" {
				call = absent
			}
			if why != "" {
				reason = why
			}
		}
	}
	for _, r := range w.routes {
		if rows > 0 && count[r.Name] == rows {
			always = append(always, r.Name)
		}
	}
	switch {
	case free:
		return "", "", always
	case call == "" && reason == "":
		return "", "no scenario of it is for a server that claims so little", always
	}
	return call, reason, always
}

// byItself describes the agent that an unscripted server would need.
const byItself = "an agent that shows it by itself"

// perhaps returns the call or condition that every row of a requirement needs, if it is the only one and the target may or
// may not have it; else "".
func (w wants) perhaps(q spec.Requirement) string {
	w.missing = maps.Clone(w.missing)
	maps.Copy(w.missing, w.unclear)
	if scripted := w.suite.Pack.Scripted; w.unscripted != "" && scripted != nil {
		w.lacks = append(slices.Clone(w.lacks), lack{scripted, byItself})
	}
	call, reason, _ := w.of(q)
	return cmp.Or(call, reason)
}

// byModel reports whether the model alone provokes the events that a row needs.
func (w wants) byModel(id string, row features.Row) bool {
	plays := w.suite.Pack.ByModel
	return w.target.Model() != nil && w.unscripted == "" && plays != nil && plays(w.target, id, row)
}

// inPassing reports whether responses to the model's scripts may prove a requirement without rows for the model.
func (w wants) inPassing(q spec.Requirement) bool {
	return w.target.Model() != nil && w.unscripted == "" && (q.Tier == spec.TierObserve || q.Tier == spec.TierModelled)
}

// modelled reports whether some row of a requirement is played without the control binding, and by the model.
func (w wants) modelled(q spec.Requirement) bool {
	return slices.ContainsFunc(w.suite.Scenarios, func(sc features.Scenario) bool {
		return sc.Requirement == q.ID && w.claimed(sc) && slices.ContainsFunc(sc.Rows, func(row features.Row) bool {
			absent, why := w.row(q.ID, row, map[string]int{})
			return w.byModel(q.ID, row) && absent == "" && why == ""
		})
	})
}

// row returns the missing condition of a row, and counts the routes that it needs.
func (w wants) row(id string, row features.Row, count map[string]int) (call, reason string) {
	byModel := w.byModel(id, row)
	if scripts := w.suite.Pack.NeedsScript; !byModel && !w.target.Scripts() && scripts != nil && scripts(row) {
		return "", "a model can't provoke it, and the config leaves out the control binding (model.only)"
	}
	for _, r := range w.routes {
		if !neededBy(r, row) || r.Control && byModel {
			continue
		}
		count[r.Name]++
		if absent := w.missing[r.Name]; absent != "" {
			call = absent
		}
	}
	for _, l := range w.lacks {
		if slices.ContainsFunc(row.Steps, func(st features.Step) bool { return l.needed(st.Text) }) {
			reason = l.reason
		}
	}
	return call, reason
}

// claimed: a scenario may need a capability that its requirement doesn't.
func (w wants) claimed(sc features.Scenario) bool {
	return !slices.ContainsFunc(sc.Tags, func(tag string) bool { return !w.target.Claims(strings.TrimPrefix(tag, "@")) })
}

func neededBy(r pack.Route, row features.Row) bool {
	return r.Needed == nil || slices.ContainsFunc(row.Steps, func(st features.Step) bool { return r.Needed(st.Text) })
}
