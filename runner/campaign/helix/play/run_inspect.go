package play

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/frame"
	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// outputs compares the chunks of runs with the model.
type outputs struct {
	env     *env // shared by all parts of the play
	calls   caller
	readers *readers
}

// overdue is about how long a delayed chunk takes, such as one of a sub-agent after its timeout.
const overdue = 40 * time.Millisecond

// waitForLate waits, and checks that a settled run has written nothing meanwhile.
func (p *outputs) waitForLate(s *stream) error {
	if s.runProgress.Over() {
		return nil
	}
	select {
	case <-p.env.session.Context().Done():
	case <-time.After(overdue):
	}
	return p.inspect(s, false)
}

// inspect reads all chunks of the run and compares them with the model. Without StreamInfo the latest sequence is only
// known after the end of the run. removes: the call before may have removed chunks.
func (p *outputs) inspect(s *stream, removes bool) error {
	c := s.runProgress
	if err := p.settle(s); err != nil {
		return err
	}
	over := c.state.Status == runmodel.Completed || c.state.Status == runmodel.Failed
	latest := int64(0)
	if c.streamStatus = ""; !over {
		if !p.env.target.Claims("info") {
			return nil
		}
		var err error
		if latest, err = p.latest(s); err != nil {
			return err
		}
	}
	log, terminal, e, err := p.read(s, latest, removes)
	if err != nil {
		return err
	}
	if most := p.env.target.Limits().Events; most > 0 && len(log) >= most/2 {
		return campaign.ErrUnknown // the next chunks may exceed the limit of the stream
	}
	if err := p.compare(s, log, terminal, e, removes); err != nil {
		return err
	}
	if terminal != nil {
		s.Finish(*terminal)
		return p.readers.dismiss(s)
	}
	if removes {
		c.gone = latest
	}
	if c.delayed {
		return c.withheld(e, latest)
	}
	if over != c.Over() {
		return campaign.ErrUnknown
	}
	return nil
}

// compare compares all chunks of the run and its terminal frame, nil for none, with the model.
func (p *outputs) compare(s *stream, log []*streammodel.Produced, terminal *streammodel.Frame, e *target.Exchange, removes bool) error {
	s.runProgress.log = log
	err := s.Observe(log, removes)
	if err == nil {
		err = s.runProgress.Check(log)
	}
	if err == nil {
		err = s.runProgress.Finished(terminal)
	}
	return campaign.At(e, err)
}

// withheld returns the violation for chunks that never came although the model allows those that did: a reader must
// receive every chunk that StreamInfo counts, unless it may have been removed. The program ends in any case, since each
// further inspection would wait.
func (c *runProgress) withheld(e *target.Exchange, latest int64) error {
	if latest <= c.gone {
		return campaign.ErrUnknown
	}
	rule := "helix.lifecycle.late-reader"
	if _, resumed := e.Record().Cursor(); resumed {
		rule = "helix.resume.complete"
	}
	return campaign.Broken(e, rule, fmt.Sprintf("event %d, the latest that StreamInfo counts", latest), "nothing more", "a reader didn't get what the run had written")
}

// latest requests the latest sequence of a settled run and the status of its stream.
func (p *outputs) latest(s *stream) (int64, error) {
	e, err := helix.GetInfo(p.env.session, target.DocumentRequest{Stream: s.id, Hidden: true})
	if err != nil {
		return 0, campaign.ErrUnknown
	}
	var got struct {
		Latest float64            `json:"latestSequence"`
		Status streammodel.Status `json:"status"`
	}
	if v := e.Now(); json.Unmarshal(v.Answer, &got) != nil {
		if v.Status == http.StatusOK {
			return 0, campaign.Broken(e, "helix.status.info-members", "a JSON document", string(v.Answer), "StreamInfo can't be read")
		}
		return 0, campaign.ErrUnknown
	}
	s.runProgress.streamStatus = got.Status
	return int64(got.Latest), nil
}

// grew reports whether the stream of a run has a higher sequence than before, and stores it there; false without StreamInfo.
func (p *outputs) grew(s *stream, before *int64) bool {
	if !p.env.target.Claims("info") || p.env.session.Context().Err() != nil {
		return false
	}
	latest, err := p.latest(s)
	if err != nil || latest <= *before {
		return false
	}
	*before = latest
	return true
}

// read returns the chunks of the stream up to a sequence, or with 0 up to the terminal frame. If no chunk may have been
// removed, it resumes and reads only new ones.
func (p *outputs) read(s *stream, latest int64, removes bool) (log []*streammodel.Produced, terminal *streammodel.Frame, e *target.Exchange, err error) {
	c := s.runProgress
	if !removes && p.env.target.Claims("resume") {
		log = slices.Clone(c.log)
	}
	last := c.before
	if len(log) > 0 {
		last = log[len(log)-1].ID
	}
	if latest > 0 && latest <= last || latest == 0 && c.streamStatus != "" {
		return log, nil, c.call, nil
	}
	return p.everything(s, log, latest)
}

// everything returns the known chunks and the later ones up to a sequence, or with 0 up to the terminal frame.
func (p *outputs) everything(s *stream, known []*streammodel.Produced, latest int64) (log []*streammodel.Produced, terminal *streammodel.Frame, e *target.Exchange, err error) {
	log = known
	at := int64(0)
	if len(log) > 0 {
		at = log[len(log)-1].ID
	}
	for tries := 0; tries < mostReconnects; tries++ {
		request := target.ReadRequest{Stream: s.id, Hidden: true, Origin: record.Produced, ReuseConnection: true}
		if at > 0 {
			id := strconv.FormatInt(at, 10)
			request.Cursor = &id
		}
		conn, err := helix.Attach(p.env.session, request)
		if err != nil {
			return nil, nil, nil, err
		}
		log, terminal, err = p.upTo(s, conn, log, latest)
		e = conn.Exchange
		conn.Disconnect()
		p.env.session.Forget(conn)
		if len(log) > 0 {
			at = log[len(log)-1].ID
		}
		var delayed *target.TimeoutError
		if errors.As(err, &delayed) {
			s.runProgress.delayed = true
			return log, terminal, e, nil // the model reports missing chunks
		}
		if err != nil || terminal != nil || latest > 0 && at >= latest {
			return log, terminal, e, err
		}
	}
	return log, terminal, e, nil
}

// upTo reads one response. A frame with the same id and bytes as an earlier one isn't decoded again.
func (p *outputs) upTo(s *stream, conn *target.Reader, log []*streammodel.Produced, latest int64) ([]*streammodel.Produced, *streammodel.Frame, error) {
	for latest == 0 || len(log) == 0 || log[len(log)-1].ID < latest {
		f, err := conn.Next("what the run wrote", p.env.target.By())
		if err != nil || f == nil {
			return log, nil, err
		}
		if !f.Dispatched() {
			continue
		}
		id, err := strconv.ParseInt(f.ID, 10, 64)
		later := err == nil && (len(log) == 0 || id > log[len(log)-1].ID)
		if before, known := s.came[id]; later && known && bytes.Equal(f.Data, before.data) {
			log = append(log, before.chunk)
			continue
		}
		m, _ := frame.Decode(f.Data) // what can't be read has no type
		switch {
		case m.Terminal():
			return log, &streammodel.Frame{ID: f.ID, HasID: f.HasID, Data: f.Data}, nil
		case m.Type == "chunk" && later:
			s.came[id] = came{f.Data, &streammodel.Produced{ID: id, Body: m.Chunk}}
			log = append(log, s.came[id].chunk)
		}
	}
	return log, nil, nil
}

// page compares a snapshot with the model of the run.
func (p *outputs) page(s *stream, partial bool) error {
	c := s.runProgress
	if !p.env.target.Claims("snapshot") || !partial && target.SectionOf[helix.Config](p.env.target).Replay || len(c.log) == 0 {
		return nil
	}
	request := target.SnapshotRequest{Stream: s.id, Origin: record.Produced}
	if partial {
		request.Partial = "true"
	}
	e, err := helix.GetSnapshot(p.env.session, request)
	if err != nil {
		return campaign.ErrUnknown
	}
	v := e.Now()
	if v.Status != 200 {
		return campaign.Broken(e, "helix.snapshot.document", "200", strconv.Itoa(v.Status), "a snapshot was not answered")
	}
	err = c.Snapshot(v.Answer, c.log, partial, c.streamStatus)
	if err == nil && partial && s.Terminal() > 0 {
		err = s.Snapshot(v.Status, v.Answer)
	}
	return campaign.At(e, err)
}

// settle waits until the run of a stream is over or waits for a call. It repeats the request if the server answers at
// once, or doesn't answer while the run writes: a script may take any time as long as chunks come.
func (p *outputs) settle(s *stream) error {
	c := s.runProgress
	written := int64(0)
	for since := time.Now(); ; {
		call, err := p.env.session.Call("GET", "/runs/"+target.EscapeSegment(c.id)+"?settled", nil, false)
		if errors.As(err, new(*target.TimeoutError)) && p.grew(s, &written) {
			since = time.Now()
			continue
		}
		var missing *target.UnavailableError
		if told := c.state.Status != ""; errors.As(err, &missing) && missing.Status != 0 && told { // the route existed before
			err = nil
		}
		accepted, err := p.calls.answered("helix.text.concatenation", call, err)
		if err != nil {
			return err
		}
		c.state, c.call = runState{}, call
		if !accepted || json.Unmarshal(call.Now().Answer, &c.state) != nil || c.state.Status == "" {
			return &campaign.UnableError{Doing: "the state of the run " + c.id + " was asked for", Answer: call.Now()}
		}
		if c.state.Status != runmodel.Running || c.state.Barrier != "" || p.env.target.Overdue(since) {
			return nil
		}
		idle(p.env.session.Context())
	}
}
