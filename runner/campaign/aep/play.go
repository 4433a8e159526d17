package aep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/aep"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/aep"
)

// Failure is a program after which the server does something that the model rules out.
type Failure = campaign.Failure[Program]

// Result is the result of playing a program.
type Result struct {
	Failure    *Failure             // nil if the server did nothing wrong
	Occasions  model.OccasionCounts // number of checks by requirement
	Operations int                  // number of operations that were played
	// Busy: the server refused requests because of its load or their rate, so that
	// nothing was found out.
	Busy bool
}

// Options configure how a program is played.
type Options struct {
	// Judge returns the judge's findings on an exchange, and its counts of checks; it may be nil.
	Judge campaign.Judge
	// Ids are the ids that the server has assigned before; nil for none.
	Ids *model.Ids
	// By is the time after which no operation begins; zero for none.
	By time.Time
}

// play performs operations and keeps the model.
type play struct {
	session *target.Session // that makes all requests
	target  *target.Target
	config  aep.Config   // section of the pack, with defaults
	names   record.Names // members whose names differ in the target
	options Options
	world   *model.World  // model of all threads
	threads []*thread     // by the number of operations; as many as the program has
	family  string        // begins all markers of the program
	users   []target.User // the first, and the second if the config has one
	bytes   int           // that were or will be sent by the server, about
	last    bool          // the operations are over
	sent    int           // requests
	replica int           // number of the current replica, from 1
	moved   bool          // another replica was used before
	timed   bool          // streams time out

	// Methods, grouped by subject.
	asking   asking
	turns    turns
	stopping stopping
	crashes  crashing
}

// over is a request that has ended, and who made it.
type over struct {
	id string      // its requestId
	as target.User // the user who made it
}

// thread is a conversation and its requests that are being answered, the first to be answered first.
type thread struct {
	*model.Thread
	live   []*turn    // in the order of their requests
	last   *turn      // the last request that may be made again
	latest *turn      // the last request
	blocks [][]string // of its messages
	// opening is the request that began the thread, and opened are the blocks of its messages.
	opening *turn
	opened  [][]string // sent again by a twin of the thread
}

// Play performs a program on new threads and then checks every thread once more. The error is why the program could not be
// played.
func Play(ctx context.Context, t *target.Target, program Program, o Options) (Result, error) {
	session := t.Session(ctx)
	defer session.Close()
	p := begin(session, program, o)
	done := 0
	var err error
	for done < len(program.operations) && err == nil && (o.By.IsZero() || time.Now().Before(o.By)) {
		err = p.do(program.operations[done])
		done++
	}
	if err == nil {
		err = p.finish()
	}
	result := Result{Occasions: p.world.Occasions, Operations: done, Busy: errors.Is(err, campaign.ErrBusy)}
	if errors.Is(err, model.ErrSlow) && p.config.StreamTimeout > 0 {
		return result, nil
	}
	v, err := campaign.Ended(ctx, session, err, fmt.Sprintf("performing operation %d", done))
	if v != nil {
		program.operations = program.operations[:done]
		result.Failure = &Failure{Violation: *v, Program: program}
	}
	return result, err
}

func begin(session *target.Session, program Program, o Options) *play {
	t := session.Target()
	p := &play{session: session, target: t, config: aep.ConfigOf(t), options: o, world: model.NewWorld(cmp.Or(o.Ids, model.NewIds())), family: session.NewName(), replica: 1, timed: program.timed}
	p.asking, p.turns, p.stopping, p.crashes = asking{p}, turns{play: p}, stopping{play: p}, crashing{play: p}
	p.names, p.world.Result = p.config.Names(), p.config.Result
	p.users = []target.User{target.First}
	if len(p.config.Other) > 0 {
		p.users = append(p.users, aep.Other)
	}
	for i := range program.threads {
		owner := 0
		if program.two && len(p.users) > 1 {
			owner = i % 2
		}
		p.threads = append(p.threads, &thread{Thread: model.NewThread(p.world, p.family, fmt.Sprint(i+1), owner)})
	}
	return p
}

// do performs one operation.
func (p *play) do(o Operation) error {
	t := p.threads[o.thread]
	switch o.kind {
	case makeRequest:
		return p.asking.request(t, o)
	case next:
		return p.turns.next(t)
	case finish:
		return p.turns.finishAll(t)
	case cancel, race:
		return p.stopping.cancel(t, o.kind == race, o.choice)
	case tryCancel:
		return p.stopping.tryCancel(t)
	case cancelEnded:
		return p.stopping.cancelEnded()
	case leave:
		return p.turns.leave(t)
	case connectAndLeave:
		return p.turns.connectAndLeave(t, o.count, o.choice)
	case crowd:
		return p.crowd(t, o.choice)
	case repeat:
		return p.asking.repeat(t)
	case concurrentResults:
		return p.concurrentResults(t, o.choice)
	case later:
		return p.stopping.cancelLater(t, o.choice)
	case heed:
		return p.turns.heed(t)
	case alike:
		return p.asking.alike(o.size, o.choice)
	case kill, fall:
		return p.crashes.kill(o.kind == fall)
	case meet:
		return p.crashes.meet(t, o.choice)
	case brief:
		return p.asking.converse(o.count, o.choice)
	case early:
		return p.asking.failEarly(t, o.choice)
	case move:
		return p.move()
	case expire:
		return p.expire(t)
	case short:
		return p.asking.chat(t, o.count, o.choice)
	case afresh:
		return p.asking.afresh(t)
	}
	return p.odds(t, o)
}

// odds makes a request that must be refused, and some like it.
func (p *play) odds(t *thread, o Operation) error {
	times := 1
	switch {
	case o.kind == unauthorized && o.choice == 0: // each of them once
		times = 2 * len(target.Nearly())
	case o.kind == unauthorized, o.kind == beyond: // the other stranger, or the other message
		times = 2
	}
	for range times {
		if err := p.invalid(t, o); err != nil {
			return err
		}
		o.choice++
	}
	return nil
}

// unauthorized returns the nth user without a credential, or with an almost right one, alternately.
func (p *play) unauthorizedUser(n int) target.User {
	if n%2 == 0 {
		return target.Anonymous
	}
	all := target.Nearly()
	if as := all[n/2%len(all)]; p.target.Signs(as) {
		return as
	}
	return target.LongToken
}

// finish ends all requests and sends one more on each thread, whose agent repeats the history, with the results of all open
// actions, to show that nothing was lost.
func (p *play) finish() error {
	p.bytes, p.last = 0, true // the last look needs room
	for _, t := range p.threads {
		if err := p.turns.finishAll(t); err != nil {
			return err
		}
	}
	last := Operation{kind: makeRequest, choice: 1, count: 1, class: ascii, size: 1, brings: all, steps: []step{
		{"text", words, 2}, {name: "await"}, {"text", words, 2}, {name: "echo", class: "messages"}, {name: "echo", class: "history"},
		{name: "echo", class: "context"}, {name: "echo", class: "results"},
	}}
	for _, t := range p.threads {
		if err := p.requestUntilServed(t, last); err != nil {
			return err
		}
		last.choice++
	}
	for _, t := range slices.Backward(p.threads) {
		if err := p.turns.finishAll(t); err != nil {
			return err
		}
		last.brings, last.steps = again, []step{{name: "echo", class: "results"}}
		if len(t.Resolved()) == 0 {
			continue
		}
		if err := p.asking.request(t, last); err != nil {
			return err
		}
	}
	return nil
}

// requestUntilServed makes a request, again and again while the server refuses it because of runs whose clients have gone. It
// lets them run out, and they have nothing left to wait for.
func (p *play) requestUntilServed(t *thread, o Operation) error {
	for since := time.Now(); ; {
		if err := p.asking.request(t, o); err != nil || t.latest == nil || !t.latest.Refused() {
			return err
		}
		last := t.latest
		if last.conn.Now().Status != http.StatusConflict || !last.Alone() {
			return nil
		}
		if p.target.Overdue(since) {
			return campaign.Broken(last.conn.Exchange, p.crashes.unresponsive(), "an answer", "409", "a thread gives no answers after its client has disconnected")
		}
		select {
		case <-time.After(p.target.Timing().Quiet):
		case <-p.session.Context().Done():
			return p.session.Context().Err()
		}
	}
}

// astray returns an unknown thread id of a kind, "" if there is no id that it can resemble.
func (p *play) astray(t *thread, how string) string {
	switch how {
	case "anew":
		return p.session.NewName()
	case "as the beginning of another":
		if len(t.ID) < counted { // half of a number may be the number of another one
			return ""
		}
		return t.ID[:len(t.ID)/2]
	case "as another and more":
		if t.ID == "" {
			return ""
		}
		return t.ID + more
	case "as another between spaces":
		if t.ID == "" {
			return ""
		}
		return " " + t.ID + " "
	case "as another in letters of the other case":
		return recased(t.ID)
	}
	return how
}

// mostBeyond is the largest limit that a message is made larger than.
const mostBeyond = 256 << 10

// invalid makes a request that has to be refused. Every other choice brings the result of an action that is open, and so does
// each on a thread of the same user.
func (p *play) invalid(t *thread, o Operation) error {
	asking := model.Request{User: t.Owner}
	id := t.ID
	if open := t.Open(); len(open) > 0 && (o.choice%2 == 0 || !slices.Contains([]kind{intrude, unknownThread}, o.kind)) {
		asking.Results = []model.Result{{ActionID: open[0].ID, Value: true}}
	}
	switch o.kind {
	case intrude:
		if len(p.users) < 2 || id == "" {
			return nil
		}
		asking.User = 1 - t.Owner
	case unknownThread:
		if asking.UnknownThread, id = true, p.astray(t, o.class); id == "" {
			return nil
		}
	case noForm:
		asking.NoForm = true
	case badForm:
		said := map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": "Plan the trip"}}}
		all := []any{[]any{said, nil}, "Plan the trip", []any{said, said, 7}, map[string]any{}, []any{said, []any{said}}, false, []any{nil}}
		asking.NoForm, asking.Instead = true, all[o.choice%len(all)]
		if p.target.Model() != nil || p.config.Input != "" { // shapes of messages that the kit changes
			return nil
		}
	case beyond:
		if asking.Beyond = true; p.config.Message <= 0 || p.config.Message > mostBeyond {
			return nil
		}
	case unauthorized:
		if asking.Unauthorized = true; !p.target.Signs(target.LongToken) {
			return nil
		}
	}
	src := &source{marker: t.Marker(t.Turns() + 1)}
	var blocks [][]string
	if !asking.NoForm {
		said := 1
		if asking.Beyond {
			said = 2
		}
		asking.Texts, blocks = src.messages(Operation{count: said, class: ascii, size: 1}, t.MaySay)
	}
	if asking.Beyond { // each message counts
		i := o.choice % 2
		asking.Texts[i] += strings.Repeat("x", int(p.config.Message))
		blocks[i] = asking.Texts[i : i+1]
	}
	asking.Script = src.script([]step{{"text", words, 2}, {name: "echo", class: "history"}}, p.family)
	turn, err := p.asking.send(t, asking, blocks, id, Operation{choice: o.choice})
	if err != nil {
		return err
	}
	if err := p.turns.head(turn); err != nil {
		return err
	}
	return p.turns.drop(turn)
}
