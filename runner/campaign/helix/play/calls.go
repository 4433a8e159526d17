package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/target"
)

// caller makes control calls and judges their answers.
//
// Invariant: a call that has an error was neither accepted nor refused.
type caller struct {
	session *target.Session
	counts  model.OccasionCounts
}

// call makes a control call on a stream. The error is a *target.UnavailableError for a missing route and a violation
// for a call without an answer.
func (c caller) call(s *stream, requirement, method, path string, body any) (call *target.Exchange, accepted bool, err error) {
	return c.control(requirement, method, "/streams/"+target.EscapeSegment(s.id)+path, body, strings.HasPrefix(path, "/writers/")) // a server may forget a closed writer
}

// control makes any control call.
func (c caller) control(requirement, method, path string, body any, allow404 bool) (call *target.Exchange, accepted bool, err error) {
	var raw []byte
	switch body := body.(type) {
	case nil:
	case []byte:
		raw = body
	default:
		raw = data.Encode(body)
	}
	call, err = c.session.Call(method, path, raw, allow404)
	accepted, err = c.answered(requirement, call, err)
	return call, accepted, err
}

// answered reports whether a call was accepted. One that was neither accepted nor refused is a violation of the requirement.
func (c caller) answered(requirement string, call *target.Exchange, err error) (accepted bool, _ error) {
	var missing *target.UnavailableError
	switch {
	case errors.As(err, &missing):
		return false, err
	case err != nil:
		return false, campaign.Broken(call, requirement, "an answer", err.Error(), "a control call was not answered")
	}
	status := call.Now().Status
	if status/100 != 2 && status/100 != 4 {
		return false, campaign.Broken(call, requirement, "2xx or 4xx", fmt.Sprint(status), "a control call was neither accepted nor refused")
	}
	return status/100 == 2, nil
}

// must makes a control call that the server may not refuse.
func (c caller) must(s *stream, requirement, method, path string, body any) (*target.Exchange, error) {
	call, accepted, err := c.call(s, requirement, method, path, body)
	if err == nil && !accepted {
		v := call.Now()
		err = campaign.Broken(call, requirement, "2xx", fmt.Sprintf("%d %s", v.Status, v.Answer), "a stream that is %s refused %s %s", s.Status(), method, path)
	}
	return call, err
}

// open opens a writer. The first one may be refused if the id of the stream is unusual.
func (c caller) open(s *stream, n int, unusual bool) (refused bool, err error) {
	call, accepted, err := c.call(s, "helix.lifecycle.writer-creates", "POST", "/writers", map[string]any{"agentId": data.AgentOf(n), "agentType": "assistant"})
	var missing *target.UnavailableError
	switch {
	case unusual && (errors.As(err, &missing) || err == nil && !accepted):
		return true, nil
	case err != nil:
		return false, err
	case !accepted:
		return false, campaign.Broken(call, "helix.lifecycle.many-writers", "2xx", fmt.Sprint(call.Now().Status), "a stream that is %s refused a writer", s.Status())
	}
	var answer struct {
		WriterID string `json:"writerId"`
	}
	if err := json.Unmarshal(call.Now().Answer, &answer); err != nil || answer.WriterID == "" {
		return false, campaign.Broken(call, "helix.lifecycle.writer-creates", "a writerId", string(call.Now().Answer), "opening a writer returned none")
	}
	s.writers[n] = answer.WriterID
	return false, nil
}

// refused makes a write that the server must refuse.
func (c caller) refused(s *stream, requirement, path string, body any) error {
	call, accepted, err := c.call(s, requirement, "POST", path, body)
	if err == nil && accepted {
		err = campaign.Broken(call, requirement, "4xx", fmt.Sprint(call.Now().Status), "a write that must be refused was accepted")
	}
	c.counts[requirement]++
	return err
}

// requirementFor returns the requirement that an active stream violates if it refuses a write.
func (s *stream) requirementFor() string {
	switch {
	case s.Resets() > 0:
		return "helix.truncation.reset-reopens"
	case s.Stalls():
		return "helix.lifecycle.stalled-reader"
	case len(s.writers) > 1:
		return "helix.lifecycle.many-writers"
	}
	return "helix.chunks.types"
}
