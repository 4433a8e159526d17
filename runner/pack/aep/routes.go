package aep

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/aep"
)

const probing = `{"messages":[{"role":"user","content":[{"type":"text","text":"probe"}]}]}`

// pausing has the agent wait.
const pausing = `{"messages":[{"role":"user","content":[{"type":"text","text":"Wait"}]}],"context":{"conformance":{"script":[{"await":"b"}]}}}`

// routes returns the requests that a probe tries, in order.
func routes(session *target.Session) []pack.Route {
	at := session.Target().Path
	return []pack.Route{
		{
			Name: "stream", Listens: true, Call: "POST " + at(client.Stream()),
			Try: func() (*target.Exchange, error) {
				reader, err := client.Send(session, []byte(probing), target.StreamRequest{Hidden: true})
				if err != nil {
					return nil, err
				}
				_, err = reader.Ended()
				return reader.Exchange, err
			},
			Right: pack.Streams,
		},
		{
			Name: "cancel", Call: "POST " + at(client.CancelRoute()), Capability: "cancel", Needed: pack.StepMatches(`cancelled`), Refusals: []int{http.StatusNotFound, http.StatusConflict},
			Try: func() (*target.Exchange, error) { return client.Cancel(session, session.NewName(), target.First) },
		},
		{
			Name: "release", Scripts: true, Control: true, Call: "POST " + at(target.ControlPrefix()) + "/aep/release", Needed: pack.StepMatches(`passes "`), Refusals: []int{http.StatusBadRequest},
			Try: func() (*target.Exchange, error) { return releases(session) },
		},
	}
}

// releases requests the release of a waiting request. If there is none, it sends an unknown id: a server that has the route
// may answer 404 to all but the first.
func releases(session *target.Session) (*target.Exchange, error) {
	var waiting struct {
		RequestID string `json:"requestId"`
	}
	if reader, err := client.Send(session, []byte(pausing), target.StreamRequest{Hidden: true}); err == nil {
		defer reader.Disconnect()
		if f, err := reader.Next("metadata", time.Now().Add(session.Target().Timing().Deadline)); err == nil && f != nil {
			_ = json.Unmarshal(f.Data, &waiting) // invalid JSON names no request
		}
	}
	body, err := json.Marshal(map[string]string{"requestId": waiting.RequestID, "barrier": "b"})
	if err != nil {
		return nil, err
	}
	return session.Call("POST", "/aep/release", body, false)
}

// conditions lists the conditions that scenarios need in addition to routes.
func conditions() []pack.Condition {
	missing := func(reason string, absent func(client.Config) bool) func(*target.Session) string {
		return func(s *target.Session) string {
			if absent(client.ConfigOf(s.Target())) {
				return reason
			}
			return ""
		}
	}
	return []pack.Condition{
		{Needed: pack.StepMatches(`((the|whose) server|replica \d+) is killed`), Lacks: func(s *target.Session) string { return reason(s.Target().MayBeKilled()) }},
		{Needed: pack.StepMatches(`\breplica \d+\b`), Lacks: func(s *target.Session) string { return reason(s.Target().IsReplicated()) }},
		{Needed: pack.StepMatches(`the other user`), Lacks: missing("the config names no other user (aep.other)", func(c client.Config) bool { return len(c.Other) == 0 })},
		{Needed: pack.StepMatches(`without the control token`), Lacks: func(s *target.Session) string {
			if !s.Target().HasControlToken() {
				return "the config names no token of control calls (control.token)"
			}
			return ""
		}},
		{Needed: pack.StepMatches(`a request with the body`), Lacks: func(s *target.Session) string {
			if s.Target().ModelConfig().Start.IsSet() {
				return "the request that starts a run is a template (model.start), which has no place for any other body"
			}
			return ""
		}},
		{Needed: pack.StepMatches(`the largest size`), Lacks: missing("the config doesn't say how large a message may be (aep.message)", func(c client.Config) bool { return c.Message == 0 })},
		{Needed: pack.StepMatches(`the limited user`), Lacks: missing("the config names no user whose rate is limited (aep.limited and aep.requests)", func(c client.Config) bool { return c.Requests == 0 || len(c.Limited) == 0 })},
		{Needed: pack.StepMatches(`times out with|half of the time-out|streams that take too long`), Lacks: missing("the config doesn't say after which time a stream ends (aep.streamTimeout)", func(c client.Config) bool { return c.StreamTimeout == 0 })},
		{Needed: pack.StepMatches(`one each heartbeat of at most`), Lacks: func(s *target.Session) string {
			if s.Target().Timing().Heartbeat == 0 {
				return "the config names no heartbeat (timing.heartbeat)"
			}
			return ""
		}},
	}
}

// reason returns the text of an error, "" for nil.
func reason(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}
