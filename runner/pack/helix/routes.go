package helix

import (
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix"
)

// routes returns the requests that a probe tries, in order: each depends on the state of the scratch stream after the ones
// before it.
func routes(session *target.Session) []pack.Route {
	p := &scratch{session: session, streams: map[string]string{}, writers: map[string]string{}}
	control := session.Target().Path(target.ControlPrefix())
	all := append(p.reading(session.Target().Path, control), p.provoking(control)...)
	for i := range all {
		all[i].Control = strings.Contains(all[i].Call, " "+control+"/")
	}
	return all
}

// reading returns the certified routes, with the calls that give them content.
func (p *scratch) reading(at func(target.Route) string, control string) []pack.Route {
	return []pack.Route{
		{
			Name: "writers", Scripts: true, Call: "POST " + control + "/streams/{stream}/writers", Right: pack.HasMember("writerId"),
			Try: func() (*target.Exchange, error) { return p.open("first") },
		},
		{
			Name: "chunks", Scripts: true, Call: "POST " + control + "/streams/{stream}/writers/{writer}/chunks", Right: pack.HasMember("sequences"),
			Try: p.on("first", "POST", "/writers/{writer}/chunks",
				`{"type":"text_delta","agentId":"agent-1","agentType":"assistant","timestamp":1702329600000,"delta":"probe"}`),
		},
		{
			Name: "read", Listens: true, Call: "GET " + at(client.Read()), Capability: "resume",
			Try:   p.read,
			Right: pack.Streams,
		},
		{
			Name: "info", Call: "GET " + at(client.Info()), Capability: "info", Needed: pack.StepMatches(`\binfo\b`), Right: pack.HasMember("status"),
			Try: func() (*target.Exchange, error) {
				return client.GetInfo(p.session, target.DocumentRequest{Stream: p.streams["first"], Hidden: true})
			},
		},
		{
			Name: "snapshot", Call: "GET " + at(client.Snapshot()), Capability: "snapshot", Needed: pack.StepMatches(`\bsnapshot\b`),
			Try: func() (*target.Exchange, error) {
				return client.GetSnapshot(p.session, target.SnapshotRequest{Stream: p.streams["first"], Hidden: true})
			},
		},
	}
}

// provoking returns the other routes of the control binding.
func (p *scratch) provoking(control string) []pack.Route {
	return []pack.Route{
		{
			Name: "status", Call: "POST " + control + "/streams/{stream}/status", Capability: "status", Needed: pack.StepMatches(`made (paused|active)|make the stream`),
			Try: p.on("first", "POST", "/status", `{"status":"paused"}`),
		},
		{
			Name: "cleanup", Call: "POST " + control + "/streams/{stream}/cleanup", Capability: "truncation", Needed: pack.StepMatches(`cleaned up`),
			Try: p.on("first", "POST", "/cleanup", `{"stepCount":0}`),
		},
		{
			Name: "reset", Call: "POST " + control + "/streams/{stream}/reset", Capability: "reset", Needed: pack.StepMatches(`is reset|reset of`),
			Try: p.on("first", "POST", "/reset", ""), Refusals: []int{http.StatusConflict},
		},
		{
			Name: "close", Call: "DELETE " + control + "/streams/{stream}/writers/{writer}", Needed: pack.StepMatches(`closed? writer|writer .*closes|writer closes`),
			Try: p.on("second", "DELETE", "/writers/{writer}", ""),
		},
		{
			Name: "end", Call: "POST " + control + "/streams/{stream}/end", Needed: pack.StepMatches(`stream (ends|has ended|is ended)|no chunk before the end`),
			Try: p.on("second", "POST", "/end", "{}"), Refusals: []int{http.StatusConflict},
		},
		{
			Name: "fail", Call: "POST " + control + "/streams/{stream}/fail", Needed: pack.StepMatches(`stream (fails|has failed|is failed)`),
			Try: p.on("third", "POST", "/fail", `{"error":"probe"}`), Refusals: []int{http.StatusConflict},
		},
		{
			Name: "state", Call: "PUT " + control + "/streams/{stream}/state", Needed: pack.StepMatches(`^the state of the stream begins`),
			Try: p.on("fourth", "PUT", "/state", "{}"),
		},
		{
			Name: "delete", Call: "DELETE " + control + "/streams/{stream}", Needed: pack.StepMatches(`stream is deleted`),
			Try: p.on("fourth", "DELETE", "", ""),
		},
		{
			Name: "runs", Call: "POST " + control + "/runs", Capability: "runtime", Needed: pack.StepMatches(`^a (second )?run (of|that|on)|^histories of (a run|runs)\b|^this history of runs`),
			Try: func() (*target.Exchange, error) {
				body := `{"stream":"` + p.session.NewStream() + `","agentType":"assistant","script":[[{"output":"probe"}]]}`
				return p.session.Call("POST", "/runs", []byte(body), false)
			},
		},
	}
}

// conditions lists the conditions that scenarios need in addition to routes.
func conditions() []pack.Condition {
	return []pack.Condition{
		{Needed: pack.StepMatches(`for a heartbeat of at most`), Lacks: func(s *target.Session) string {
			if s.Target().Timing().Heartbeat == 0 {
				return "the config names no timing.heartbeat"
			}
			return ""
		}},
		{Needed: pack.StepMatches(`over HTTP/2$`), Lacks: func(s *target.Session) string {
			_, reason := s.Target().OffersHTTP2(s.Context(), client.Info())
			return reason
		}},
		{Needed: pack.StepMatches(`((the|whose) server|replica \d+) is killed`), Lacks: func(s *target.Session) string { return reason(s.Target().MayBeKilled()) }},
		{Needed: pack.StepMatches(`\breplica \d+\b|\b\d+ replicas\b|every replica`), Lacks: func(s *target.Session) string { return reason(s.Target().IsReplicated()) }},
	}
}

// reason returns the text of an error, "" for nil.
func reason(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}
