package play

import (
	"encoding/json"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
)

// crashNow kills the server during its runs and starts it again. Another executor then takes over each run, which
// continues as before. It does nothing if a run is interrupted, since no rule says what becomes of that.
func (p crashKind) crashNow(s *stream, o program.Operation) error {
	if !p.target.Claims("supersede") || !p.target.Claims("info") {
		return nil
	}
	for _, other := range p.streams {
		if c := other.runProgress; c != nil && !c.Over() && c.Status() != runmodel.Running && c.Status() != runmodel.Paused {
			return nil
		}
	}
	away, err := p.depart()
	if err == nil && o.Kind == program.KillAmid {
		err = p.killAmid(s, o)
	} else if err == nil {
		err = p.restart()
	}
	if err != nil {
		return err
	}
	for _, other := range p.streams {
		other.Restart()
	}
	for _, other := range p.streams {
		if other.runProgress != nil && !other.Finished() {
			if err := p.takeOver(other); err != nil {
				return err
			}
		}
	}
	return p.arrive(away)
}

// killAmid kills the server while a run works, or where the run waits for an answer.
func (p crashKind) killAmid(s *stream, o program.Operation) error {
	done, err := p.runs.amid(s, o.Who)
	if err != nil {
		return err
	}
	if err = p.restart(); done != nil {
		done()
	}
	return err
}

// takeOver has another executor take over a run that a restart has interrupted, and releases the released barriers again.
func (p crashKind) takeOver(s *stream) error {
	c := s.runProgress
	p.session.Removed(s.id)
	call, err := p.session.Call("POST", c.path("supersede"), nil, true)
	accepted, err := p.calls.answered("helix.durable.runs", call, err)
	if err != nil {
		return err
	}
	if !accepted {
		return p.outlived(s)
	}
	var answer struct {
		RunID string `json:"runId"`
	}
	if json.Unmarshal(call.Now().Answer, &answer) == nil && answer.RunID != "" {
		c.id = answer.RunID
	}
	for _, barrier := range c.Released() {
		if _, _, err := p.calls.control("helix.text.concatenation", "POST", c.path("release"), map[string]any{"barrier": barrier}, false); err != nil {
			return err
		}
	}
	c.TakeOver()
	return p.outputs.inspect(s, true)
}

// outlived checks a run whose server refuses a takeover: the run was over before the kill, or the server doesn't
// support it, as it may. In the latter case the play ends without a result.
func (p crashKind) outlived(s *stream) error {
	c := s.runProgress
	if _, err := p.outputs.latest(s); err != nil {
		return err
	}
	if !c.Over() || c.streamStatus != streammodel.Ended && (c.streamStatus != streammodel.Failed || c.Status() != runmodel.Failed) {
		return campaign.ErrUnknown
	}
	c.inspections++
	log, terminal, e, err := p.outputs.everything(s, nil, 0)
	if err != nil {
		return err
	}
	c.log = log
	if err := s.Observe(log, true); err != nil {
		return campaign.At(e, err)
	}
	if err := c.Check(log); err != nil {
		return campaign.At(e, err)
	}
	if err := c.Finished(terminal); err != nil {
		return campaign.At(e, err)
	}
	if terminal == nil {
		return campaign.ErrUnknown
	}
	s.Finish(*terminal)
	return p.readerOps.dismiss(s)
}
