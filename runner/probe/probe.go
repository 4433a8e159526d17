package probe

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
)

// Presence is the result of a probe of one route.
type Presence string

// The presences.
const (
	Present Presence = "present"
	Absent  Presence = "absent"  // answered 404, 405 or 501
	Wrong   Presence = "wrong"   // there, but not as specified
	Unclear Presence = "unclear" // answered as a route that is there may, and one that is not
)

// Route describes a route of the target as the probe found it.
type Route struct {
	Call     string // POST /control/streams/{stream}/end
	Presence Presence
	Control  bool   // of the control binding
	Status   int    // 0 when no answer came
	Detail   string // reason of Wrong and Unclear
	Needed   int    // requirements that can't be proven without it
}

// Capability is a capability that requirements of the pack need.
type Capability struct {
	Name   string
	Closed string // why it can't be proven, "" when it can
}

// Result lists the routes and capabilities of a target, and which requirements can be proven against it.
type Result struct {
	URL          string
	Routes       []Route
	Tiers        []string // that it offers
	Capabilities []Capability
	Provable     []string            // ids
	Modelled     []string            // those of them that the model alone provokes
	Passing      []string            // ids of others that responses to the model's scripts may prove; only a run shows it
	Listening    int                 // requirements of the tier observe
	Unprovable   map[string][]string // ids by the call that is missing
	Unclear      map[string][]string // ids by the call, or other condition, that only a run can find
	Lacking      map[string][]string // ids by another missing condition, as a phrase
	NotClaimed   []string            // ids
	Untestable   []string            // ids
}

// Run tries every route of the pack on new streams and reports which requirements could be proven against the target. It
// judges nothing. The error, one line, reports that the target could not be reached or is no stream server.
func Run(ctx context.Context, suite *pack.Suite, t *target.Target) (*Result, error) {
	session := t.Session(ctx)
	defer session.Close()
	var routes []pack.Route
	if suite.Pack.Routes != nil {
		routes = suite.Pack.Routes(session)
	}
	out := &Result{URL: t.Redact(t.URL()), Unprovable: map[string][]string{}, Unclear: map[string][]string{}, Lacking: map[string][]string{}}
	missing, unclear := map[string]string{}, map[string]string{}
	pages := 0
	for i, r := range routes {
		found, page, err := probe(t, r)
		if err != nil && i == 0 { // a server that runs may lack a later route
			return nil, fmt.Errorf("probing %s: %s%s", out.URL, t.Redact(err.Error()), cmp.Or(target.Remedy(err), "; is the server running, and target.url right?"))
		}
		if page {
			pages++
		}
		if found.Presence == Absent || found.Presence == Wrong {
			missing[r.Name] = found.Call
		}
		if found.Presence == Unclear {
			unclear[r.Name] = found.Call
		}
		out.Routes = append(out.Routes, found)
	}
	if pages > 0 && !slices.ContainsFunc(out.Routes, func(r Route) bool { return r.Presence == Present }) {
		return nil, fmt.Errorf("probing %s: it answers with HTML pages, expected a stream server; is target.url right?", out.URL)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("probing %s: %w", out.URL, err)
	}
	w := wants{suite: suite, target: t, routes: routes, missing: missing, unclear: unclear, lacks: lacking(suite, session)}
	if suite.Pack.Preflight != nil {
		offer, err := suite.Pack.Preflight(ctx, t)
		switch {
		case err == nil:
			w.unscripted = offer.Unscripted
		case t.Model() != nil: // a model can provoke what the binding can't, so the probe goes on
			w.unscripted = t.Redact(err.Error())
		}
	}
	out.sort(w)
	return out, nil
}

// probe tries one route. page reports that an HTML page came back; the error, that
// nothing did.
func probe(t *target.Target, r pack.Route) (found Route, page bool, err error) {
	found = Route{Call: r.Call}
	found.Control = r.Control
	call, err := r.Try()
	if missing, is := target.IsUnavailable(err); is && missing.Status == 0 {
		found.Presence, found.Detail = Absent, "not tried: "+err.Error()
		return found, false, nil
	}
	if call == nil {
		found.Presence, found.Detail = Absent, "not tried: "+err.Error()
		return found, false, nil
	}
	v := call.Now()
	found.Status = v.Status
	page = v.Status != 0 && pack.IsPage(v.Get("content-type"), bodyOf(v))
	switch st := v.Status; {
	case st == 0:
		found.Presence, found.Detail = Wrong, t.Redact(err.Error())
		return found, false, err
	case slices.Contains(r.Refusals, st) && st == http.StatusNotFound && !page: // a missing route answers with 404 as well
		found.Presence, found.Detail = Unclear, "right for something that isn't there; a run shows whether the route is"
	case slices.Contains(r.Refusals, st) && !page:
		found.Presence, found.Detail = Present, "it is there: it refuses a call that names nothing, which is right"
	case st == http.StatusNotFound, st == http.StatusMethodNotAllowed, st == http.StatusNotImplemented:
		found.Presence = Absent
	case page:
		found.Presence, found.Detail = Wrong, "an HTML page"
	case st == http.StatusUnauthorized, st == http.StatusForbidden:
		found.Presence, found.Detail = Wrong, "refused; are the headers and the control token right?"
	case st/100 != 2:
		found.Presence, found.Detail = Wrong, "expected 2xx: "+t.Redact(pack.FirstLine(v.Answer))
	case err != nil:
		found.Presence, found.Detail = Wrong, t.Redact(err.Error())
	default:
		found.Presence = Present
		if r.Right != nil {
			if found.Detail = r.Right(v); found.Detail != "" {
				found.Presence = Wrong
			}
		}
	}
	return found, page, nil
}

func bodyOf(v record.Response) []byte {
	if len(v.Answer) == 0 && len(v.Frames) > 0 {
		return v.Frames[0].Raw
	}
	return v.Answer
}

// sort assigns each requirement to a list by whether it could be proven.
func (out *Result) sort(w wants) {
	suite, t, routes, missing := w.suite, w.target, w.routes, w.missing
	used := map[string]bool{}
	needs := map[string]int{}
	for _, q := range suite.Book.Pack(suite.Pack.Name) {
		if q.Role != spec.RoleServer || q.Withdrawn != "" {
			continue
		}
		for _, c := range q.Capabilities {
			used[c] = true
		}
		switch {
		case slices.ContainsFunc(q.Capabilities, func(c string) bool { return !t.Claims(c) }):
			out.NotClaimed = append(out.NotClaimed, q.ID)
			continue
		case q.Untestable != "":
			out.Untestable = append(out.Untestable, q.ID)
			continue
		}
		if q.Tier == spec.TierObserve {
			out.Listening++
		}
		call, reason, always := w.of(q)
		for _, name := range always {
			needs[name]++
		}
		switch {
		case call != "":
			out.Unprovable[call] = append(out.Unprovable[call], q.ID)
		case reason != "":
			out.Lacking[reason] = append(out.Lacking[reason], q.ID)
		case w.perhaps(q) != "":
			out.Unclear[w.perhaps(q)] = append(out.Unclear[w.perhaps(q)], q.ID)
		default:
			out.Provable = append(out.Provable, q.ID)
			if w.modelled(q) {
				out.Modelled = append(out.Modelled, q.ID)
			}
		}
	}
	for i, r := range routes {
		out.Routes[i].Needed = needs[r.Name]
	}
	out.tiers(w)
	out.passing(w)
	for _, c := range suite.Book.Capabilities(suite.Pack.Name) {
		if !used[c.Name] {
			continue
		}
		state := Capability{Name: c.Name}
		i := slices.IndexFunc(routes, func(r pack.Route) bool { return r.Capability == c.Name })
		switch {
		case !t.Claims(c.Name):
			state.Closed = "not claimed"
		case i >= 0 && missing[routes[i].Name] != "":
			state.Closed = "needs " + missing[routes[i].Name]
		}
		out.Capabilities = append(out.Capabilities, state)
	}
}

// passing adds the requirements whose rows can't run, and that responses to other scripts of the model may prove.
func (out *Result) passing(w wants) {
	for _, missing := range []map[string][]string{out.Unprovable, out.Lacking} {
		for _, ids := range missing {
			for _, id := range ids {
				if q, _ := w.suite.Book.Get(id); w.inPassing(q) {
					out.Passing = append(out.Passing, id)
				}
			}
		}
	}
	slices.Sort(out.Passing)
}

// tiers: the first route allows listening, the other unconditional ones allow scripting.
func (out *Result) tiers(w wants) {
	observed, scripted := false, true
	for _, r := range w.routes {
		switch {
		case r.Listens:
			observed = w.missing[r.Name] == ""
		case r.Scripts:
			scripted = scripted && w.missing[r.Name] == ""
		}
	}
	if observed {
		out.Tiers = append(out.Tiers, spec.TierObserve)
		if w.target.Model() != nil && w.unscripted == "" {
			out.Tiers = append(out.Tiers, spec.TierModelled)
		}
		if scripted {
			out.Tiers = append(out.Tiers, spec.TierScripted)
			for _, tier := range []string{spec.TierLaunched, spec.TierReplicated} {
				if pack.Lacks(w.target, tier) == nil {
					out.Tiers = append(out.Tiers, tier)
				}
			}
		}
	}
}
