package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// caller makes control calls and requests for documents, and judges their answers.
//
// Invariant: a call that has an error was neither accepted nor refused.
type caller struct{ env *env }

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
	call, err = c.env.session.Call(method, path, raw, allow404)
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
	id, err := c.openWriter(s, data.AgentOf(n))
	if _, missing := target.IsUnavailable(err); unusual && (missing || errors.Is(err, errRefused)) {
		return true, nil
	}
	if err == nil {
		s.writers[n] = id
	}
	return false, err
}

// openWriter opens a writer and returns its id. The error for a refusal is a violation.
func (c caller) openWriter(s *stream, agent string) (string, error) {
	call, accepted, err := c.call(s, "helix.lifecycle.writer-creates", "POST", "/writers", map[string]any{"agentId": agent, "agentType": "assistant"})
	if err != nil {
		return "", err
	}
	if !accepted {
		return "", errors.Join(errRefused, campaign.Broken(call, "helix.lifecycle.many-writers", "2xx", fmt.Sprint(call.Now().Status), "a stream that is %s refused a writer", s.Status()))
	}
	var answer struct {
		WriterID string `json:"writerId"`
	}
	if err := json.Unmarshal(call.Now().Answer, &answer); err != nil || answer.WriterID == "" {
		return "", campaign.Broken(call, "helix.lifecycle.writer-creates", "a writerId", string(call.Now().Answer), "opening a writer returned none")
	}
	return answer.WriterID, nil
}

// errRefused accompanies the violation of a refused writer.
var errRefused = errors.New("the server refused a writer")

// refused makes a write that the server must refuse.
func (c caller) refused(s *stream, requirement, path string, body any) error {
	call, accepted, err := c.call(s, requirement, "POST", path, body)
	if err == nil && accepted {
		err = campaign.Broken(call, requirement, "4xx", fmt.Sprint(call.Now().Status), "a write that must be refused was accepted")
	}
	c.env.counts[requirement]++
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

// attempt is one of two concurrent calls.
type attempt struct {
	call     *target.Exchange // nil if there was none
	id       string           // id of the run that it started
	accepted bool             // the server answered with success
	err      error            // nil for a refusal
}

// twice makes two concurrent calls and returns an accepted one, if there is one, and whether both were accepted.
func twice(try func() attempt) (one attempt, both bool, err error) {
	var all [2]attempt
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { all[i] = try() })
	}
	group.Wait()
	for _, a := range all {
		if a.err != nil {
			return a, false, a.err
		}
	}
	if one = all[0]; !one.accepted {
		one = all[1]
	}
	return one, all[0].accepted && all[1].accepted, nil
}

// info compares StreamInfo with the model.
func (c caller) info(s *stream) error {
	if !c.env.target.Claims("info") {
		return nil
	}
	return c.document(s.Info, "helix.status.info-members", func() (*target.Exchange, error) {
		return helix.GetInfo(c.env.session, target.DocumentRequest{Stream: s.id})
	})
}

// snapshot compares a snapshot with the model, possibly while another client requests one without partial content. Only of
// a finished stream the model predicts one without partial content.
func (c caller) snapshot(s *stream, o program.Operation) error {
	tooLarge := 3*s.size > c.env.target.Limits().Answer // a character of two bytes may be escaped with six
	partial := o.Kind != program.SnapshotWithoutPartial
	if !c.env.target.Claims("snapshot") || tooLarge || s.Finished() && s.Terminal() == 0 || !s.Finished() && !partial {
		return nil
	}
	var concurrently sync.WaitGroup
	defer concurrently.Wait()
	if o.Twice {
		concurrently.Go(func() { _, _ = helix.GetSnapshot(c.env.session, target.SnapshotRequest{Stream: s.id}) })
	}
	judge, request := s.Snapshot, target.SnapshotRequest{Stream: s.id, Partial: "true"}
	if !partial {
		judge, request.Partial = s.FinishedSnapshot, ""
	}
	return c.document(judge, "helix.snapshot.document", func() (*target.Exchange, error) { return helix.GetSnapshot(c.env.session, request) })
}

func (c caller) document(judge func(int, []byte) error, requirement string, requestOne func() (*target.Exchange, error)) error {
	e, err := requestOne()
	var missing *target.UnavailableError
	switch {
	case errors.As(err, &missing):
		return err
	case err != nil:
		return campaign.Broken(e, requirement, "an answer", err.Error(), "a document was not answered")
	}
	v := e.Now()
	return campaign.At(e, judge(v.Status, v.Answer))
}

// writers writes chunks.
type writers struct {
	env     *env // shared by all parts of the play
	calls   caller
	readers *readers
}

func (p *writers) write(s *stream, o program.Operation) error {
	if s.Finished() && s.writers[o.Who] == "" {
		return nil
	}
	limits := p.env.target.Limits().Within()
	o.Size = min(o.Size, int(min(limits.String, limits.Chunk-1<<10)))
	if o.Count = min(o.Count, limits.Events-s.Written()); o.Count < 1 {
		return nil
	}
	for first, done := s.Written(), 0; done < o.Count; done += o.Each {
		n := min(o.Each, o.Count-done)
		if err := p.readers.capacity(n * (o.Size + 600) * (1 + len(s.readers))); err != nil {
			return err
		}
		turn := o
		if o.Class == program.EqualText && !s.Finished() { // two writers in turn, each of which repeats twice the text of the other
			turn.Who += done / o.Each / 2 % 2
		}
		if s.writers[turn.Who] == "" {
			if _, err := p.calls.open(s, turn.Who, false); err != nil {
				return err
			}
		}
		if err := p.append(s, turn, n, first); err != nil {
			return err
		}
	}
	return nil
}

// append makes one call that writes n chunks of an operation; first is how many the stream had before the operation.
func (p *writers) append(s *stream, o program.Operation, n, first int) error {
	chunks, body := data.ChunksOf(s.Stream, o, n, first)
	body = data.Respelled(body, s.Written())
	path := "/writers/" + target.EscapeSegment(s.writers[o.Who]) + "/chunks"
	if s.Finished() {
		return p.calls.refused(s, "helix.lifecycle.write-after-end", path, body)
	}
	if data.MayRefuse(o) == "" && o.Size < 48<<10 {
		call, err := p.calls.must(s, s.requirementFor(), "POST", path, body)
		if err == nil {
			p.wrote(s, call, chunks)
		}
		return err
	}
	call, accepted, err := p.calls.call(s, "helix.chunks.types", "POST", path, body)
	switch declared := p.env.target.Limits(); {
	case err != nil:
		return err
	case accepted:
		p.wrote(s, call, chunks)
	case data.MayRefuse(o) == "" && (call.Now().Status != 413 || declared.String > 0 || declared.Chunk > 0):
		return campaign.Broken(call, "helix.chunks.types", "2xx", fmt.Sprint(call.Now().Status), "a chunk of %d bytes was refused", o.Size)
	}
	return nil
}

// wrote reports accepted chunks to the model and releases their call.
func (p *writers) wrote(s *stream, call *target.Exchange, chunks []*streammodel.Chunk) {
	s.Write(chunks...)
	for _, c := range chunks {
		s.size += int64(len(c.Body))
		s.largest = max(s.largest, len(c.Body))
	}
	p.env.session.ForgetCall(call)
}
