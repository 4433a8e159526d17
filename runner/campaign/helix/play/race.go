package play

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/play/timing"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// races has the races of several clients.
type races struct {
	env     *env // shared by all parts of the play
	calls   caller
	readers *readers
	changes *changes
	kills   *kills
}

// kill kills the server after the declared number of answers, or when all calls were made.
func (c *contest) kill(made <-chan struct{}) {
	defer close(c.death.over)
	select {
	case <-c.death.near:
	case <-made:
	}
	close(c.death.started)
	c.note(streammodel.Call{Kills: true}, nil)
	if err := c.p.kills.restart(); err != nil {
		c.failed(err)
	}
}

// outlived marks the calls without an answer as possible until the server has started again.
func (c *contest) outlived() {
	for i := range c.calls {
		if c.calls[i].Unknown {
			c.calls[i].Answered = int64(time.Since(c.began))
		}
	}
}

// isOver reports whether an unanswered end has finished the stream, after which it accepts no writer and no chunk.
func (c *contest) isOver() bool {
	e, err := helix.GetInfo(c.p.env.session, target.DocumentRequest{Stream: c.s.id})
	if err != nil {
		return false // the readers report it
	}
	var info struct{ Status streammodel.Status }
	return json.Unmarshal(e.Now().Answer, &info) == nil && (info.Status == streammodel.Ended || info.Status == streammodel.Failed)
}

// race performs a race. It disconnects attached readers first, since a race has its readers.
func (p *races) race(s *stream, o program.Operation) error {
	if s.Finished() && p.env.target.Claims("reset") {
		if err := p.changes.reset(s); err != nil {
			return err
		}
	}
	n := o.Who * o.Count
	limits := p.env.target.Limits().Within()
	p.readers.bytes += n * 600 * (2 + o.Concurrently)
	if s.Status() != streammodel.Active || p.readers.bytes > most || s.Written()+n > limits.Events {
		return nil
	}
	if c := program.Needs[o.Amid]; c != "" && !p.env.target.Claims(c) {
		o.Amid = ""
	}
	if err := p.readers.vacate(s); err != nil {
		return err
	}
	var away []*reader // readers of all streams
	if o.Killed > 0 {
		var err error
		if away, err = p.kills.depart(); err != nil {
			return err
		}
	}
	for w := 1; w <= o.Who; w++ {
		if s.writers[w] == "" {
			if _, err := p.calls.open(s, w, false); err != nil {
				return err
			}
		}
	}
	if o.Amid == program.Reset || o.Amid == program.Cleanup {
		p.env.session.Removed(s.id)
	}
	s.races++
	c := &contest{p: p, s: s, o: o, began: time.Now(), half: make(chan struct{}), wrote: make(chan struct{}, 1), death: newDeath(o.Killed)}
	if o.Again {
		c.pace = timing.New(o.Who, o.Count)
	}
	racers, err := c.line(min(o.Concurrently, limits.Readers))
	if err != nil {
		return err
	}
	if err := c.run(racers); err != nil || o.Killed == 0 {
		return err
	}
	return p.kills.comeBack(away, s)
}

// run starts all calls and readers, waits until they are done, and compares the result with the model.
func (c *contest) run(racers []*racer) error {
	if c.p.env.target.Claims("info") {
		c.group.Go(c.requestAll)
	}
	switch c.o.Amid {
	case program.End:
		c.group.Go(func() { c.terminate(program.End) })
		c.group.Go(func() { c.terminate(program.Fail) })
	case program.Reset, program.Cleanup:
		c.group.Go(c.truncate)
	}
	var writers, readers sync.WaitGroup
	for w := range c.o.Who {
		path := "/writers/" + target.EscapeSegment(c.s.writers[w+1]) + "/chunks"
		writers.Go(func() { c.write(w, path) })
	}
	made := make(chan struct{})
	if c.o.Killed > 0 {
		c.group.Go(func() { c.kill(made) })
	}
	for _, r := range racers {
		readers.Go(r.run)
	}
	writers.Wait()
	close(made)
	close(c.wrote)
	c.group.Wait()
	c.outlived()
	if c.err == nil && c.p.env.target.Claims("info") { // no call is pending now
		c.requestOne()
	}
	c.lastWord()
	if c.err != nil {
		for _, r := range racers {
			r.abort()
		}
	}
	readers.Wait()
	if c.err != nil {
		return c.err
	}
	whole := &racer{c: c}
	whole.run()
	for _, r := range append(racers, whole) {
		if r.err != nil {
			return r.err
		}
	}
	return c.judge(whole, racers)
}

// call makes a call of the race and records when it began and was answered, and its result.
func (c *contest) call(note streammodel.Call, path string, body any) (*target.Exchange, streammodel.Call) {
	past := c.death.past()
	note.Started = int64(time.Since(c.began))
	call, accepted, err := c.p.calls.call(c.s, "helix.lifecycle.many-writers", "POST", path, body)
	if err != nil && c.death.explains(past) {
		note.Unknown, err = true, nil
	}
	note.Accepted, note.Answered = accepted, int64(time.Since(c.began))
	if accepted {
		c.death.answered()
	}
	c.note(note, err)
	return call, note
}

// must makes a call that the server may not refuse.
func (c *contest) must(requirement string, note streammodel.Call, path string, body any) {
	if call, got := c.call(note, path, body); !got.Accepted && !got.Unknown {
		c.failed(campaign.Broken(call, requirement, "2xx", fmt.Sprint(call.Now().Status), "a stream that is active refused %s", path))
	}
}

// chunk returns the nth chunk of a writer; its number is unique within the stream.
func (c *contest) chunk(writer, n int) *streammodel.Chunk {
	return data.NewChunk(c.s.Stream, 1_000_000*c.s.races+program.MostRace*10*writer+n, 0, program.Operation{Step: program.MixedSteps, Class: program.ASCIIText, Size: 1})
}

// write makes the calls of a writer, one after the other, until one is refused.
func (c *contest) write(writer int, path string) {
	once := sync.OnceFunc(func() { close(c.half) })
	for done := 0; done < c.o.Count; done += c.o.Each {
		var chunks []*streammodel.Chunk
		var bodies []json.RawMessage
		for i := done; i < min(done+c.o.Each, c.o.Count); i++ {
			chunk := c.chunk(writer, i)
			chunks, bodies = append(chunks, chunk), append(bodies, chunk.Body)
		}
		var body any = bodies
		if len(bodies) == 1 {
			body = []byte(bodies[0])
		}
		c.pace.Before(chunks)
		if _, got := c.call(streammodel.Call{Writer: writer, Chunks: chunks}, path, body); !got.Accepted {
			break
		}
		c.pace.After(chunks)
		select {
		case c.wrote <- struct{}{}:
		default: // a request of StreamInfo is pending already
		}
		if writer == 0 && 2*done >= c.o.Count-2 {
			once()
		}
	}
	if writer == 0 {
		once()
	}
}

// terminate ends or fails the stream in the middle of the race.
func (c *contest) terminate(how program.Kind) {
	<-c.half
	text := fmt.Sprintf("race %d", c.s.races)
	if how == program.Fail {
		note := streammodel.Call{Terminal: streammodel.Failed, Final: text, Code: "tool_timeout"}
		c.call(note, "/fail", map[string]any{"error": note.Final, "code": note.Code})
		return
	}
	output := data.Encode(map[string]any{"said": text})
	c.call(streammodel.Call{Terminal: streammodel.Ended, Final: string(output)}, "/end", map[string]any{"finalOutput": json.RawMessage(output)})
}

// truncate cleans up or resets the stream in the middle of the race.
func (c *contest) truncate() {
	<-c.half
	note, path, body := streammodel.Call{Truncates: true, Step: c.o.Step}, "/cleanup", map[string]any{"stepCount": c.o.Step}
	if c.o.Amid == program.Reset {
		note.Resets, path, body = true, "/reset", map[string]any{}
	}
	c.must("helix.truncation.removes", note, path, body)
}

// mostRequested bounds the requests of StreamInfo in a race.
const mostRequested = 12

// requestAll requests StreamInfo while others write, after each of their answers.
func (c *contest) requestAll() {
	for n := range mostRequested {
		if _, going := <-c.wrote; n > 0 && !going || !c.requestOne() {
			return
		}
	}
}

// requestOne requests StreamInfo once.
func (c *contest) requestOne() (answered bool) {
	past := c.death.past()
	note := streammodel.Call{Started: int64(time.Since(c.began))}
	e, err := helix.GetInfo(c.p.env.session, target.DocumentRequest{Stream: c.s.id})
	switch note.Answered = int64(time.Since(c.began)); {
	case err != nil && c.death.explains(past):
		return true
	case err != nil:
		err = campaign.Broken(e, "helix.status.info-members", "an answer", err.Error(), "a document was not answered")
	case e.Now().Status != 200:
		err = campaign.Broken(e, "helix.status.info-members", "200", fmt.Sprint(e.Now().Status), "StreamInfo of a stream that exists isn't answered")
	default:
		note.Info = e.Now().Answer
	}
	c.note(note, err)
	return err == nil
}

// lastWord writes the chunk that all readers wait for. A race with an end finishes the stream instead.
func (c *contest) lastWord() {
	if c.err != nil {
		return
	}
	if c.o.Amid == program.End {
		for _, call := range c.calls {
			if call.Terminal != "" && (call.Accepted || call.Unknown && c.isOver()) {
				return
			}
		}
		c.must("helix.lifecycle.end", streammodel.Call{Terminal: streammodel.Ended}, "/end", map[string]any{})
		return
	}
	if c.o.Amid == program.Reset || c.o.Killed > 0 { // the writers may be closed
		clear(c.s.writers)
		if _, c.err = c.p.calls.open(c.s, 1, false); c.err != nil {
			return
		}
	}
	chunk := data.NewChunk(c.s.Stream, c.last(), 0, program.Operation{Step: program.Stepless, Class: program.ASCIIText, Size: 1})
	path := "/writers/" + target.EscapeSegment(c.s.writers[1]) + "/chunks"
	c.must(c.s.requirementFor(), streammodel.Call{Writer: c.o.Who, Chunks: []*streammodel.Chunk{chunk}}, path, chunk.Body)
}

// judge compares the calls and the received frames with the model.
func (c *contest) judge(whole *racer, racers []*racer) error {
	first := whole.turns[len(whole.turns)-1].conn.Exchange
	var seen [][]streammodel.Frame
	for _, r := range racers {
		for _, t := range r.turns {
			seen = append(seen, t.frames)
		}
	}
	outcome, err := c.s.Settle(c.calls, whole.frames(), seen...)
	if err != nil {
		return campaign.At(first, err)
	}
	whole.Reader = c.s.Attach(streammodel.Position{}, false)
	if err := whole.replay(nil); err != nil {
		return err
	}
	for _, r := range racers {
		if err := r.replay(outcome); err != nil {
			return err
		}
	}
	return nil
}

// line returns the readers of a race. Half of them attach before it begins.
func (c *contest) line(n int) ([]*racer, error) {
	places := c.s.Positions()
	var out []*racer
	for i := range n {
		r := &racer{c: c, early: 2*i < n, delayed: i%2 > 0}
		if c.p.env.target.Claims("resume") {
			stays, at := c.o.Plan(i)
			r.plan, r.position = stays, places[at%len(places)]
		}
		r.Reader = c.s.Attach(r.position, r.position.ID > 0)
		if out = append(out, r); !r.early {
			continue
		}
		if err := r.attach(r.position.ID); err != nil {
			return nil, err
		}
	}
	return out, nil
}
