package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
)

// Presence is what a probe found where a route should be.
type Presence string

// The presences.
const (
	Present Presence = "present"
	Absent  Presence = "absent" // answered 404, 405 or 501
	Wrong   Presence = "wrong"  // there, but not as specified
)

// route is a request that a scenario may need.
type route struct {
	name   string
	call   string            // method and path, with {stream} for the id
	needed func(string) bool // whether a step of this text needs it; nil: every scenario does
	// capability is closed to a target without the route; "" when none is.
	capability string
	try        func(*prober) (*target.Exchange, error)
	// right says what is wrong with a 2xx answer, "" for nothing.
	right func(target.View) string
	// refusals are statuses beside 2xx which show that the route is there.
	refusals []int
}

// ProbedRoute is what was found at one route.
type ProbedRoute struct {
	Call     string // POST /control/streams/{stream}/end
	Presence Presence
	Status   int    // 0 when no answer came
	Detail   string // what is wrong with it
	Needed   int    // requirements that can't be proven without it
}

// ProbedCapability is a capability that requirements of the pack need.
type ProbedCapability struct {
	Name   string
	Closed string // why it can't be proven, "" when it can
}

// Probe is what a target offers.
type Probe struct {
	URL          string
	Routes       []ProbedRoute
	Tiers        []string // that it offers
	Capabilities []ProbedCapability
	Provable     []string            // ids
	Listening    int                 // requirements of the tier observe
	Unprovable   map[string][]string // ids by the call that is missing
	NotClaimed   []string            // ids
	Untestable   []string            // ids
}

// Probe tries every route of the pack on streams of its own and says what could
// be proven of the target. It judges nothing. The error, one line, says that the
// target could not be reached or is no stream server.
func (s *Suite) Probe(ctx context.Context, t *target.Target) (*Probe, error) {
	session := t.Session(ctx)
	defer session.Close()
	p := &prober{suite: s, target: t, session: session, streams: map[string]string{}, writers: map[string]string{}}
	out := &Probe{URL: t.Redact(t.URL()), Unprovable: map[string][]string{}}
	missing := map[string]string{}
	pages := 0
	for i, r := range s.routes() {
		found, page, err := p.probe(r)
		if err != nil && i == 0 {
			return nil, fmt.Errorf("probing %s: %s; is the server running, and target.url right?", out.URL, t.Redact(err.Error()))
		}
		if page {
			pages++
		}
		if found.Presence != Present {
			missing[r.name] = found.Call
		}
		out.Routes = append(out.Routes, found)
	}
	if pages > 0 && !slices.ContainsFunc(out.Routes, func(r ProbedRoute) bool { return r.Presence == Present }) {
		return nil, fmt.Errorf("probing %s: it answers with HTML pages, expected a stream server; is target.url right?", out.URL)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("probing %s: %w", out.URL, err)
	}
	out.sort(s, t, missing)
	return out, nil
}

func (s *Suite) routes() []route {
	if s.pack.routes == nil {
		return nil
	}
	return s.pack.routes()
}

// prober is the state of one probe.
type prober struct {
	suite   *Suite
	target  *target.Target
	session *target.Session
	streams map[string]string // scratch streams by a name of ours
	writers map[string]string // their writers
}

// probe tries one route. page says that an HTML page came back; the error, that
// nothing did.
func (p *prober) probe(r route) (found ProbedRoute, page bool, err error) {
	method, path, _ := strings.Cut(r.call, " ")
	found = ProbedRoute{Call: method + " " + p.template(path)}
	call, err := r.try(p)
	if call == nil {
		found.Presence, found.Detail = Absent, "not tried: "+err.Error()
		return found, false, nil
	}
	v := call.Now()
	found.Status = v.Status
	page = v.Status != 0 && isHTML(v.Get("content-type"), bodyOf(v))
	switch st := v.Status; {
	case st == 0:
		found.Presence, found.Detail = Wrong, p.target.Redact(err.Error())
		return found, false, err
	case slices.Contains(r.refusals, st) && !page:
		found.Presence = Present
	case st == http.StatusNotFound, st == http.StatusMethodNotAllowed, st == http.StatusNotImplemented:
		found.Presence = Absent
	case page:
		found.Presence, found.Detail = Wrong, "an HTML page"
	case st == http.StatusUnauthorized, st == http.StatusForbidden:
		found.Presence, found.Detail = Wrong, "refused; are the headers and the control token right?"
	case st/100 != 2:
		found.Presence, found.Detail = Wrong, "expected 2xx: "+p.target.Redact(firstOf(v.Answer))
	case err != nil:
		found.Presence, found.Detail = Wrong, p.target.Redact(err.Error())
	default:
		found.Presence = Present
		if r.right != nil {
			if found.Detail = r.right(v); found.Detail != "" {
				found.Presence = Wrong
			}
		}
	}
	return found, page, nil
}

func bodyOf(v target.View) []byte {
	if len(v.Answer) == 0 && len(v.Frames) > 0 {
		return v.Frames[0].Raw
	}
	return v.Answer
}

// template puts the configured routes in the place of the default ones.
func (p *prober) template(path string) string {
	routes := p.target.Routes()
	switch path {
	case "read":
		return routes.Read
	case "info":
		return routes.Info
	case "snapshot":
		return routes.Snapshot
	case "stream":
		return routes.Stream
	case "cancel":
		return routes.Cancel
	}
	return routes.Control + path
}

// stream is a scratch stream with a writer, made when it is first asked for.
func (p *prober) stream(name string) (path string, err error) {
	id, ok := p.streams[name]
	if !ok {
		id = p.session.NewStream()
		p.streams[name] = id
		if name != "first" { // the first is opened by the probe of that very route
			_, err = p.open(name)
		}
	}
	return "/streams/" + target.EscapeSegment(id), err
}

var errNoWriter = errors.New("no writer could be opened")

func (p *prober) open(name string) (*target.Exchange, error) {
	path, _ := p.stream(name)
	call, err := p.session.Call("POST", path+"/writers", []byte(`{"agentId":"agent-1","agentType":"assistant"}`), false)
	var answer struct {
		WriterID string `json:"writerId"`
	}
	if err == nil && json.Unmarshal(call.Now().Answer, &answer) == nil && answer.WriterID != "" {
		p.writers[name] = answer.WriterID
	}
	return call, err
}

// call makes a control call on a scratch stream.
func (p *prober) call(stream, method, path, body string) (*target.Exchange, error) {
	base, _ := p.stream(stream)
	var raw []byte
	if body != "" {
		raw = []byte(body)
	}
	if strings.Contains(path, "{writer}") {
		if p.writers[stream] == "" {
			return nil, errNoWriter
		}
		path = strings.ReplaceAll(path, "{writer}", target.EscapeSegment(p.writers[stream]))
	}
	return p.session.Call(method, base+path, raw, false)
}

// read attaches to the first scratch stream until its first frame.
func (p *prober) read() (*target.Exchange, error) {
	reader, err := p.session.Attach(target.ReadRequest{Stream: p.streams["first"], Hidden: true})
	if err != nil {
		return nil, err
	}
	defer reader.Cut()
	_, err = reader.Wait("the first frame of a stream", func(v target.View) bool { return len(v.Frames) > 0 || v.Status >= 300 })
	if v := reader.Now(); v.Status/100 == 2 && len(v.Frames) == 0 {
		err = nil // what is wrong with it is said by the route
	}
	return reader.Exchange, err
}

// sort says what could be proven.
func (out *Probe) sort(s *Suite, t *target.Target, missing map[string]string) {
	routes := s.routes()
	used := map[string]bool{}
	needs := map[string]int{}
	for _, q := range s.Book.Pack(s.Pack) {
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
		lacks, always := s.lacks(q.ID, routes, missing)
		for _, name := range always {
			needs[name]++
		}
		if lacks == "" {
			out.Provable = append(out.Provable, q.ID)
		} else {
			out.Unprovable[lacks] = append(out.Unprovable[lacks], q.ID)
		}
	}
	for i, r := range routes {
		out.Routes[i].Needed = needs[r.name]
	}
	out.tiers(s, missing)
	for _, c := range s.Book.Capabilities(s.Pack) {
		if !used[c.Name] {
			continue
		}
		state := ProbedCapability{Name: c.Name}
		i := slices.IndexFunc(routes, func(r route) bool { return r.capability == c.Name })
		switch {
		case !t.Claims(c.Name):
			state.Closed = "not claimed"
		case i >= 0 && missing[routes[i].name] != "":
			state.Closed = "needs " + missing[routes[i].name]
		}
		out.Capabilities = append(out.Capabilities, state)
	}
}

// tiers: what a first route lets one listen to, the rest of the unconditional ones
// let one script.
func (out *Probe) tiers(s *Suite, missing map[string]string) {
	listening := map[string]bool{"read": true, "stream": true}
	observed, scripted := false, true
	for _, r := range s.routes() {
		switch {
		case listening[r.name]:
			observed = missing[r.name] == ""
		case r.scripts():
			scripted = scripted && missing[r.name] == ""
		}
	}
	if observed {
		out.Tiers = append(out.Tiers, spec.TierObserve)
		if scripted {
			out.Tiers = append(out.Tiers, spec.TierScripted)
		}
	}
}

// scripts reports whether nothing can be provoked without the route.
func (r route) scripts() bool {
	switch r.name {
	case "writers", "chunks", "release":
		return true
	}
	return false
}

// lacks returns the call that keeps every row of a requirement's scenarios from
// being run, "" when one can be, and the names of the routes that all of them
// need.
func (s *Suite) lacks(id string, routes []route, missing map[string]string) (lacks string, always []string) {
	rows, free := 0, false
	count := map[string]int{}
	for _, sc := range s.Scenarios {
		if sc.Requirement != id {
			continue
		}
		for _, row := range sc.Rows {
			rows++
			open := true
			for _, r := range routes {
				if !r.neededBy(row) {
					continue
				}
				count[r.name]++
				if call := missing[r.name]; call != "" {
					open = false
					lacks = call
				}
			}
			free = free || open
		}
	}
	for _, r := range routes {
		if rows > 0 && count[r.name] == rows {
			always = append(always, r.name)
		}
	}
	if free {
		return "", always
	}
	if lacks == "" {
		lacks = "a scenario"
	}
	return lacks, always
}

func (r route) neededBy(row features.Row) bool {
	return r.needed == nil || slices.ContainsFunc(row.Steps, func(st features.Step) bool { return r.needed(st.Text) })
}

// words makes the predicate of a route from what its steps say.
func words(pattern string) func(string) bool {
	return regexp.MustCompile(pattern).MatchString
}

// never is the predicate of a route that no step of this version needs.
func never(string) bool { return false }

// holds asks of an answer to be a JSON object with a member.
func holds(member string) func(target.View) string {
	return func(v target.View) string {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(bytes.TrimSpace(v.Answer), &object); err != nil || object[member] == nil {
			return fmt.Sprintf("expected a JSON object with %q: %s", member, firstOf(v.Answer))
		}
		return ""
	}
}
