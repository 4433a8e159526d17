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

	model "github.com/streamcert/streamcert/runner/model/aep"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/aep"
)

// Failure is a program after which the server does something that the model rules out.
type Failure struct {
	model.Breach
	Program  Program // the last of its operations is where it showed, unless it showed at the end
	Exchange *target.Exchange
}

func (f *Failure) Error() string { return f.Breach.Error() }

// Result is what came of a program.
type Result struct {
	Failure    *Failure     // nil if the server did nothing wrong
	Ledger     model.Ledger // what was looked at
	Operations int          // that were done
	// Busy: the server refused requests because of its load or their rate, so that
	// nothing was found out.
	Busy bool
}

// Options are how a program is played.
type Options struct {
	// Judge returns what the judge of the pack finds in an exchange, and how often it looked; nil finds nothing.
	Judge func(*record.Exchange) ([]record.Finding, map[string]int)
	// Ids are those that the server has given out before; nil for none.
	Ids *model.Ids
	// By is when no further operation is begun; zero for never.
	By time.Time
}

// play performs operations and keeps the model.
type play struct {
	session *target.Session
	target  *target.Target
	config  aep.Config
	names   record.Names
	options Options
	world   *model.World
	threads []*thread
	family  string
	users   []target.User
	over    []over // requests that have ended
	bytes   int    // that were or will be sent by the server, about
	last    bool   // the operations are over
	cancels int    // cancellations that were asked for
	// uncancelled: the server has no route that cancels.
	uncancelled bool
}

// over is a request that has ended, and who made it.
type over struct {
	id string
	as target.User
}

// thread is a conversation and its requests that are being answered, the first to be answered first.
type thread struct {
	*model.Thread
	live   []*turn
	last   *turn      // the last request that may be made again
	blocks [][]string // of its messages
}

// violation is what the model rules out, and where it was seen.
type violation struct {
	model.Breach
	exchange *target.Exchange
}

func (v *violation) Error() string { return v.Breach.Error() }

// at says of an error of the model where it was seen.
func at(e *target.Exchange, err error) error {
	var b *model.Breach
	if errors.As(err, &b) {
		return &violation{*b, e}
	}
	return err
}

func broken(e *target.Exchange, requirement, want, got, format string, args ...any) error {
	return &violation{model.Breach{Requirement: requirement, Message: fmt.Sprintf(format, args...), Want: want, Got: got}, e}
}

// errBusy says that the server refused a request because of its load or their rate.
var errBusy = errors.New("the server is busy")

// errUnknown says that nothing follows from what came: it was more than the suite keeps, or a request waits for another.
var errUnknown = errors.New("nothing can be found out")

// Play performs a program on threads of its own and then looks at everything once more. The error says why that could not
// be done.
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
	result := Result{Ledger: p.world.Ledger, Operations: done, Busy: errors.Is(err, errBusy)}
	var v *violation
	switch {
	case err == nil, result.Busy, errors.Is(err, errUnknown), errors.Is(err, model.ErrSlow) && p.config.StreamTimeout > 0:
		return result, nil
	case ctx.Err() != nil:
		return result, fmt.Errorf("performing operation %d: %w", done, ctx.Err())
	case !errors.As(err, &v):
		return result, fmt.Errorf("performing operation %d: %w", done, err)
	}
	result.Failure = &Failure{Breach: v.Breach, Exchange: v.exchange, Program: program}
	result.Failure.Program.operations = program.operations[:done]
	return result, nil
}

func begin(session *target.Session, program Program, o Options) *play {
	t := session.Target()
	p := &play{session: session, target: t, config: aep.ConfigOf(t), options: o, world: model.NewWorld(cmp.Or(o.Ids, model.NewIds())), family: session.NewName()}
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
	case ask:
		return p.ask(t, o)
	case next:
		return p.next(t)
	case finish:
		return p.finishAll(t)
	case cancel, race:
		return p.cancel(t, o.kind == race)
	case tryCancel:
		return p.tryCancel(t)
	case lateStop:
		return p.lateStop()
	case leave:
		return p.leave(t)
	case visit:
		return p.visit(t, o.count)
	case repeat:
		return p.repeat(t)
	case rivals:
		return p.rivals(t)
	}
	return p.odd(t, o)
}

// finish answers everything, asks each thread once more for what was said on it, and so shows that nothing got lost.
func (p *play) finish() error {
	p.bytes, p.last = 0, true // the last look needs room
	for _, t := range p.threads {
		if err := p.finishAll(t); err != nil {
			return err
		}
	}
	last := Operation{kind: ask, count: 1, class: plain, size: 1, acts: []act{
		{"text", words, 2}, {name: "await"}, {"text", words, 2}, {name: "echo", class: "messages"}, {name: "echo", class: "history"}, {name: "echo", class: "context"},
	}}
	for _, t := range p.threads {
		if err := p.ask(t, last); err != nil {
			return err
		}
	}
	for _, t := range slices.Backward(p.threads) {
		if err := p.finishAll(t); err != nil {
			return err
		}
	}
	return p.resolve()
}

// resolve brings the result of every action that is open, and one of them again.
func (p *play) resolve() error {
	bring := Operation{kind: ask, count: 1, class: plain, size: 1, acts: []act{{name: "echo", class: "results"}}}
	for _, t := range p.threads {
		for _, bring.brings = range []outcome{all, again} {
			if err := p.ask(t, bring); err != nil {
				return err
			}
			if err := p.finishAll(t); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	// more is what no id ends with.
	more = "~x"
	// counted is how long an id is at most that may be a number.
	counted = 24
)

// astray is the id of a thread that never was, "" where what it would be like isn't there.
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
	}
	return how
}

// odd makes a request that has to be refused. Every other one brings the result of an action that is open.
func (p *play) odd(t *thread, o Operation) error {
	asking := model.Asking{User: t.Owner}
	id := t.ID
	if open := t.Open(); len(open) > 0 && t.Turns()%2 == 0 && o.kind != noForm && o.kind != stranger {
		asking.Results = []model.Result{{ActionID: open[0].ID, Value: true}}
	}
	switch o.kind {
	case intrude:
		if len(p.users) < 2 || id == "" {
			return nil
		}
		asking.User = 1 - t.Owner
	case unheard:
		if asking.Unheard, id = true, p.astray(t, o.class); id == "" {
			return nil
		}
	case noForm:
		asking.NoForm = true
	case stranger:
		if asking.Nobody = true; !p.target.Signs(target.First) {
			return nil
		}
	}
	src := &source{marker: t.Marker(t.Turns() + 1)}
	var blocks [][]string
	if !asking.NoForm {
		asking.Texts, blocks = src.messages(Operation{count: 1, class: plain, size: 1}, t.MaySay)
	}
	asking.Script = src.script([]act{{"text", words, 2}, {name: "echo", class: "history"}}, p.family)
	turn, err := p.send(t, asking, blocks, id, Operation{})
	if err != nil {
		return err
	}
	if err := p.head(turn); err != nil {
		return err
	}
	return p.drop(turn)
}

// lateStop cancels requests that have ended; how that is answered is free.
func (p *play) lateStop() error {
	if p.uncancelled {
		return nil
	}
	p.world.Stopped()
	for i := len(p.over) - 1; i >= max(0, len(p.over)-3); i-- {
		if _, err := aep.Cancel(p.session, p.over[i].id, p.over[i].as); err != nil {
			return p.unanswered(err)
		}
	}
	return nil
}

// because is why a request is cancelled: every third time nobody says, and every third time it takes all texts to say it.
func (p *play) because() string {
	p.cancels++
	switch p.cancels % 3 {
	case 1:
		return strings.Join(allTexts(p.cancels), " ")
	case 2:
		return "no longer wanted"
	}
	return ""
}

func (p *play) unanswered(err error) error {
	if _, missing := target.IsUnavailable(err); missing {
		p.uncancelled = true
		return nil
	}
	return err
}

// cancelled asks to cancel a request and reports whether that was accepted.
func (p *play) cancelled(id string, as target.User) (bool, error) {
	call, err := aep.CancelFor(p.session, id, as, p.because())
	if err != nil {
		return false, p.unanswered(err)
	}
	status := call.Now().Status
	if as == p.users[0] && slices.Contains([]int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented}, status) {
		p.uncancelled = true
	}
	return status/100 == 2, nil
}
