package aep

import (
	"cmp"
	"encoding/json"
	"maps"
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// Config is the section of a config that only this pack needs. Requirements that need a missing key are unprovable.
type Config struct {
	Agent string `key:"agent" kind:"name" names:"an agent" default:"conformance" doc:"the agent that is asked"`
	// Other and Limited are each sent instead of the config's headers, and are equally secret.
	Other   map[string]string `key:"other" example:"Authorization: Bearer ${OTHER_TOKEN}" doc:"the headers of a second user, in the place of headers; secrets"`
	Limited map[string]string `key:"limited" example:"Authorization: Bearer ${LIMITED_TOKEN}" doc:"the headers of a user whose rate is limited; secrets"`
	// Message, Requests and StreamTimeout are 0 if they aren't known. The maxima bound the oversized requests of the suite.
	Message       int64         `key:"message" max:"256MiB" example:"64KiB" doc:"the largest message, in bytes, KiB, MiB or GiB; not known by default"`
	Requests      int           `key:"requests" min:"1" max:"10000" example:"10" doc:"how many requests the limited user may make; not known by default"`
	StreamTimeout time.Duration `key:"streamTimeout" example:"2s" doc:"when the server ends a stream that hangs; not known by default. A short one also ends streams that a scenario is slow with, where timeoutAgent is not another agent"`
	IdleTimeout   bool          `key:"idleTimeout" kind:"switch" default:"false" doc:"whether streamTimeout begins anew with everything that the agent says; by default it is that of the stream as a whole"`
	TimeoutAgent  string        `key:"timeoutAgent" kind:"name" names:"an agent" example:"impatient" doc:"the agent whose streams end after streamTimeout, where those of agent may take longer; agent by default"`
	// The following keys are names and shapes that the protocol leaves open.
	Input    string `key:"input" kind:"template" holds:"{text}" example:"'{\"role\": \"user\", \"content\": \"{text}\"}'" doc:"the shape of a message of the user, as JSON with the text at {text}. By default a message has a role and blocks"`
	Result   string `key:"result" kind:"name" names:"a member" default:"result" doc:"the member of an action result that holds what came of the action"`
	CallID   string `key:"callId" kind:"name" names:"a member" default:"toolCallId" doc:"the member of a tool call, and of its result, that holds the call's id"`
	ToolName string `key:"toolName" kind:"name" names:"a member" default:"toolName" doc:"the member of a tool call that names the tool"`
	Fragment string `key:"fragment" kind:"name" names:"a member" default:"delta" doc:"the member of a tool call, or of its result, that holds a piece"`
	Args     string `key:"arguments" kind:"name" names:"a member" default:"args" doc:"the member of a tool call that holds its arguments, whole"`
	Status   string `key:"status" kind:"name" names:"a member" default:"status" doc:"the member of a tool's result that says how it went"`
	Summary  string `key:"summary" kind:"name" names:"a member" default:"summary" doc:"the member of a tool's result that says so for people"`
	Text     string `key:"text" kind:"name" names:"a member" default:"text" doc:"the member that holds a text, whole: on the stop of its block and in the content of done"`
	Thinking string `key:"thinking" kind:"name" names:"a member" default:"thinking" doc:"the member of a block in the content of done that holds a thought"`
}

// Names returns the members that have other names than the specification's, by the kinds of events and of blocks in the
// content of done.
func (c Config) Names() record.Names {
	call := map[string]string{"toolCallId": c.CallID, "toolName": c.ToolName, "delta": c.Fragment, "args": c.Args}
	result := map[string]string{"toolCallId": c.CallID, "delta": c.Fragment, "status": c.Status, "summary": c.Summary}
	names := record.Names{
		"tool_call": call, "tool_use": call, "tool_result": result,
		"text": {"text": c.Text}, "thinking": {"text": c.Text, "thinking": c.Thinking},
	}
	for kind, members := range names {
		maps.DeleteFunc(members, func(plain, own string) bool { return plain == own })
		if len(members) == 0 {
			delete(names, kind)
		}
	}
	return names
}

// TimedAgent returns the agent whose streams end after StreamTimeout.
func (c Config) TimedAgent() string { return cmp.Or(c.TimeoutAgent, c.Agent) }

// Users in addition to those of every pack.
const (
	Other   target.User = "other"   // of another principal
	Limited target.User = "limited" // whose rate is limited
)

// Principals returns the users that the section names.
func (c Config) Principals() map[target.User]map[string]string {
	return map[target.User]map[string]string{Other: c.Other, Limited: c.Limited}
}

// Section returns the routes and the config section of the pack.
func Section() target.Section {
	return target.Section{
		Name:   "aep",
		Doc:    "what only pack aep needs. What is left out makes the requirements that need it unprovable",
		New:    func() any { return &Config{} },
		Routes: []target.Route{Stream(), CancelRoute()},
	}
}

// Stream returns the route for requests to the agent.
func Stream() target.Route {
	return target.Route{
		Name: "stream", Template: "/v1/agents/{agent}/stream",
		Doc: "takes a request and streams the answer; {agent} is aep.agent",
	}
}

// CancelRoute returns the route at which a request is cancelled.
func CancelRoute() target.Route {
	return target.Route{
		Name: "cancel", Template: "/v1/agents/{agent}/requests/{requestId}/cancel", Placeholder: "{requestId}",
		Doc: "cancels request {requestId}",
	}
}

// ConfigOf returns the target's config section of this pack, with defaults for the keys that it doesn't set.
func ConfigOf(t *target.Target) Config { return target.SectionOf[Config](t) }

// RequestStream posts a request to the agent of the config, unless the request names another in
// PathValues. It returns at once; the answer is waited for
// by Head and Next of the reader. It fails only on a request that can't be made.
// A request with a script has the token of control calls with it.
func RequestStream(s *target.Session, r target.StreamRequest) (*target.Reader, error) {
	r.Route, r.Control = Stream(), !r.Untrusted && (r.Control || isScripted(r.Body))
	if r.PathValues == nil {
		r.PathValues = map[string]string{"agent": ConfigOf(s.Target()).Agent}
	}
	return s.RequestStream(r)
}

// isScripted reports whether a body contains a script.
func isScripted(body []byte) bool {
	var request struct {
		Context struct{ Conformance json.RawMessage }
	}
	return json.Unmarshal(body, &request) == nil && request.Context.Conformance != nil
}

// Cancel asks the server to cancel a request. An error means that no answer came.
// The answer isn't certified: the response that ends is.
func Cancel(s *target.Session, requestID string, as target.User) (*target.Exchange, error) {
	return CancelFor(s, requestID, as, "")
}

// CancelFor is Cancel with a reason, none where it is empty.
func CancelFor(s *target.Session, requestID string, as target.User, reason string) (*target.Exchange, error) {
	body := []byte("{}")
	if reason != "" {
		body = written(map[string]string{"reason": reason})
	}
	return s.Post(target.StreamRequest{
		Route: CancelRoute(), PathValues: map[string]string{"agent": ConfigOf(s.Target()).Agent, "requestId": requestID},
		Body: body, As: as, Heading: "cancel",
	})
}
