package merlin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/merlin"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/merlin"
)

// Result is the result of playing a program.
type Result struct {
	Failure   *Failure             // nil if the server did nothing wrong
	Advice    *Failure             // the first deviation from a recommendation, nil for none
	Occasions model.OccasionCounts // number of checks by requirement
	// Busy: the server refused the request because of its load or their rate, so that nothing was found out.
	Busy bool
}

// Options configure how a program is played.
type Options struct {
	// Judge returns the judge's findings on an exchange, and its counts of checks; it may be nil.
	Judge campaign.Judge
}

// play is a requested stream with its model.
type play struct {
	session   *target.Session // of this stream alone
	options   Options
	name      string               // by which control calls know the stream
	conn      *target.Reader       // of the response; nil before the request
	stream    *model.Stream        // compares each event as it comes; nil before the request
	occasions model.OccasionCounts // of this stream
	// modelled: the language model performs the script. The server then has no name of the stream for control calls.
	modelled bool
	meeting  *meeting // with the other streams of the program
	nth      int      // of its streams, from 0
	choice   int      // of the ways in which it is requested
	slow     bool     // the client takes little at a time
	leaves   string   // the barrier at which the client leaves, "" for one that stays
}

// Play requests the streams of a program, all concurrently, and checks them. The error is why the program could not be
// played.
func Play(ctx context.Context, t *target.Target, program Program, o Options) (Result, error) {
	n := max(1, program.streams)
	together := newMeeting(n)
	results, errs := make([]Result, n), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		session := t.Session(ctx)
		p := &play{session: session, options: o, occasions: model.OccasionCounts{}, meeting: together, nth: i, choice: program.choice + i}
		p.name = session.Coin("stream") // in the order of the streams, so that each has the same name whenever it is played
		all.Go(func() { results[i], errs[i] = p.play(ctx, program) })
	}
	all.Wait()
	out := Result{Occasions: model.OccasionCounts{}}
	for _, r := range results {
		for id, n := range r.Occasions {
			out.Occasions[id] += n
		}
		out.Busy = out.Busy || r.Busy
		out.Failure, out.Advice = cmp.Or(out.Failure, r.Failure), cmp.Or(out.Advice, r.Advice)
	}
	return out, errors.Join(errs...)
}

// play plays one of the streams of a program, and closes its session.
func (p *play) play(ctx context.Context, program Program) (Result, error) {
	defer p.meeting.leave()
	defer p.session.Close()
	script, leaves := program.script(p.nth)
	if program.streams > 1 && p.nth == 0 { // the others must not notice
		p.leaves = leaves
	}
	p.slow = slices.ContainsFunc(program.operations, func(o Operation) bool { return o.Kind == "slow readers" })
	err := p.request(script)
	if err == nil {
		err = p.read()
	}
	if err == nil && p.stream.Ended() {
		err = p.over()
	}
	result := Result{Occasions: p.occasions, Busy: errors.Is(err, campaign.ErrBusy)}
	v, err := campaign.Ended(ctx, p.session, err, "playing a stream")
	switch {
	case v != nil:
		result.Failure = &Failure{Violation: *v, Program: program}
	case err == nil && p.stream != nil:
		var advice *campaign.Violation
		if errors.As(campaign.At(p.conn.Exchange, p.stream.Advice()), &advice) {
			result.Advice = &Failure{Violation: *advice, Program: program}
		}
	}
	return result, err
}

// request posts the request and waits for its head.
func (p *play) request(script model.Script) error {
	start, err := json.Marshal(script.Start)
	if err != nil {
		return fmt.Errorf("writing a request: %w", err)
	}
	acts, err := json.Marshal(script.Steps)
	if err != nil {
		return fmt.Errorf("writing a request: %w", err)
	}
	request := merlin.StreamRequest{Version: script.Version, Stream: p.name, Start: start[1 : len(start)-1], Instructions: acts, Heading: "a stream"}
	n := p.choice
	request.Headers, request.Spelling = campaign.HeadersOf(p.session.Target(), n, true), func(body []byte) []byte { return campaign.Spelled(body, n) }
	switch p.nth {
	case 0: // on the connection of a stream before it, which has to leave nothing there
		request.ReuseConnection = p.leaves == ""
	case 1: // as browsers do
		request.Gzip = true
	case 3: // as clients do that write a request while they send it
		request.Unsized = true
	case 2: // where the server offers it
		request.HTTP2, _ = p.session.Target().OffersHTTP2(p.session.Context(), merlin.Stream(script.Version))
	}
	if p.slow {
		request.Buffer = campaign.NarrowBuffer
	}
	p.conn, err = merlin.RequestStream(p.session, request)
	if err != nil {
		return err
	}
	p.modelled = p.session.PlayedBy(p.conn.Exchange) != ""
	script.Modelled = p.modelled
	p.stream = model.NewStream(script, p.occasions)
	v, err := p.conn.Head()
	switch {
	case err != nil && p.conn.Reused(): // a server may have closed an idle connection
		return campaign.ErrBusy
	case err != nil:
		return p.broken("merlin.wire.content-type", "an answer", err.Error(), "a request isn't answered")
	case v.Status == http.StatusTooManyRequests || v.Status == http.StatusServiceUnavailable:
		return campaign.ErrBusy
	case v.Status == http.StatusNotImplemented || v.Status == http.StatusForbidden:
		return &target.UnavailableError{Call: "with a script", Status: v.Status}
	case v.Status != http.StatusOK:
		return p.broken("merlin.wire.content-type", "200", fmt.Sprint(v.Status), "a request is refused")
	}
	return nil
}

func (p *play) broken(requirement, want, got, message string) error {
	return campaign.Broken(p.conn.Exchange, requirement, want, got, "%s", message)
}

// read receives every event, and releases each barrier once everything before it has come.
func (p *play) read() error {
	for !p.stream.Ended() {
		if barrier := p.stream.Waits(); barrier != "" {
			if barrier == p.leaves {
				p.conn.Disconnect()
				return p.judged(p.conn.Exchange)
			}
			p.meeting.meet()
			call, err := merlin.Release(p.session, p.conn, p.name, barrier)
			if err != nil {
				return err
			}
			if call != nil && call.Now().Status/100 != 2 {
				return &target.UnavailableError{Call: "release", Status: call.Now().Status}
			}
			p.stream.Released()
			continue
		}
		f, err := p.conn.Next("the next event", p.session.Target().By())
		switch {
		case err != nil:
			return campaign.At(p.conn.Exchange, p.stream.Missing(err.Error()))
		case f == nil:
			if err := p.judged(p.conn.Exchange); err != nil {
				return err
			}
			return campaign.At(p.conn.Exchange, p.stream.Missing("the end of the body"))
		case !f.Dispatched():
			continue
		}
		e := model.Event{Name: f.Event, Data: f.Data}
		if e.Name == "" {
			e.Name = "message"
		}
		if err := json.Unmarshal(f.Data, &e.Members); err != nil {
			continue // the judge says so
		}
		if err := p.stream.Receive(e); err != nil {
			return campaign.At(p.conn.Exchange, err)
		}
	}
	return nil
}

// over waits for the end of the body, and checks it and the aggregate.
func (p *play) over() error {
	if _, err := p.conn.Ended(); err != nil {
		return p.broken("merlin.wire.body-closes", "the end of the body", err.Error(), "the body stays open after the end")
	}
	if err := p.judged(p.conn.Exchange); err != nil || p.modelled || !p.session.Target().Claims("aggregate") {
		return err
	}
	answer, err := merlin.Aggregate(p.session, p.name, "the aggregate")
	if err != nil {
		return err
	}
	v := answer.Now()
	if v.Status != http.StatusOK {
		return &target.UnavailableError{Call: "aggregate", Status: v.Status}
	}
	if err := p.judged(answer); err != nil {
		return err
	}
	return campaign.At(answer, p.stream.AddsUp(v.Answer))
}

// judged passes an exchange to the judge of the pack. A violation of a recommendation ends no history.
func (p *play) judged(e *target.Exchange) error {
	return p.options.Judge.Check(e, model.Judged(), p.occasions)
}
