package certify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

const (
	// mostRevivals bounds how often a run waits for its server or starts it again.
	mostRevivals = 10
	// dying is the time for the end of a process to be noticed after its connections broke.
	dying = 500 * time.Millisecond
	// aBlink is the longest time between a refused connection and broken ones that counts as one end.
	aBlink = time.Second
	// mostClosed limits the stored visits that ended with a broken connection.
	mostClosed = 64
	// between is the pause between two questions whether a server is there.
	between = 20 * time.Millisecond
	// whileGone begins the reason of every row that found nothing out because of an end of the server.
	whileGone = "while this ran, twice, "
)

// outages records the times at which the server could not be reached, and the rows that ran then. It is safe for concurrent
// use.
type outages struct {
	target *target.Target  // of the run
	server Server          // nil where the suite didn't start it
	ctx    context.Context // of the run

	bring sync.Mutex // locked by the goroutine that waits for the server to come back

	mu     sync.Mutex        // guards all below
	open   map[*openRow]bool // every row that is being played
	closed []*openRow        // the last mostClosed visits that ended with a broken connection
	ends   []report.End      // in their order
	gone   bool              // since the last of ends
	lost   string            // why the server isn't waited for any more, "" as long as it is
}

// openRow is a row, or the preflight, while it is open.
type openRow struct {
	report.Open
	began   time.Time          // before its first request
	cancel  context.CancelFunc // ends its session's context
	session *target.Session    // nil until it has one
	met     bool               // the server ended while it was open
	broke   time.Time          // when one of its connections did last; zero if none did
}

// watch observes the end of the server until stop is called.
func (o *outages) watch(ctx context.Context) (stop func()) {
	o.ctx = ctx
	if o.server == nil {
		return func() {}
	}
	o.server.OnDeath(func() { o.notice(false) })
	return func() { o.server.OnDeath(nil) }
}

// opened adds an open row. The context ends when the server does.
func (o *outages) opened(ctx context.Context, open report.Open) (context.Context, *openRow) {
	v := &openRow{Open: open, began: time.Now()}
	ctx, v.cancel = context.WithCancel(target.WhenBroken(ctx, func(unreached bool) {
		o.mu.Lock()
		v.broke = time.Now()
		o.mu.Unlock()
		if unreached {
			o.notice(false)
		}
	}))
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open[v] = true; o.gone {
		v.met = true
		v.cancel()
	}
	return ctx, v
}

// asks records the session of an open row, whose exchanges an end report needs.
func (o *outages) asks(v *openRow, s *target.Session) {
	o.mu.Lock()
	defer o.mu.Unlock()
	v.session = s
}

// over removes an open row. failed reports that it failed, and hungUp that a connection broke, so that the server may have just
// ended. It returns why the row proves nothing about the server, "" if it does. The row's context stays valid until the
// caller cancels it, because the session needs it to clean up.
func (o *outages) over(v *openRow, failed, hungUp bool) string {
	suspicious := failed || hungUp
	o.mu.Lock()
	met := v.met
	o.mu.Unlock()
	if suspicious && !met {
		o.notice(hungUp)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if suspicious {
		o.blink(v)
	}
	if delete(o.open, v); !v.broke.IsZero() {
		o.closed = append(o.closed[max(0, len(o.closed)+1-mostClosed):], v)
	}
	if !v.met || !suspicious {
		return ""
	}
	return whileGone + o.ends[len(o.ends)-1].Sentence()
}

// blink records an end after which the server was back before it was found gone: a connection was refused
// while a row was open, and accepted connections broke. A running server that refuses a connection breaks no others. The caller has the
// lock.
func (o *outages) blink(v *openRow) {
	refused := o.target.Refused()
	if v.met || refused.Before(v.began) || o.gone || o.lost != "" {
		return
	}
	all := slices.AppendSeq(slices.Clone(o.closed), maps.Keys(o.open))
	broke := func(of *openRow) bool {
		return of.broke.After(refused.Add(-aBlink)) && of.broke.Before(refused.Add(aBlink))
	}
	if !slices.ContainsFunc(all, broke) {
		return
	}
	if last := len(o.ends) - 1; last >= 0 && !refused.After(o.ends[last].At.Add(time.Duration(o.ends[last].Seconds*float64(time.Second)))) { // it is known
		v.met = true
		return
	}
	end := o.ended("", "a connection was refused, and open ones broke")
	end.Back, end.Seconds = true, time.Since(refused).Seconds()
	o.ends = append(o.ends, end)
	o.gone = len(o.ends) > mostRevivals
}

// notice checks whether the server is gone and, if so, ends the open visits. Further reports of the same end change
// nothing. With answers, a server that accepts connections and closes each counts as gone.
func (o *outages) notice(answers bool) {
	ends := o.count()
	if ends > mostRevivals || o.ctx.Err() != nil {
		return
	}
	how, why := o.died(), ""
	if how == "" {
		err := o.target.Reach(o.ctx, answers)
		if err == nil {
			return
		}
		for by := time.Now().Add(dying); o.server != nil && how == "" && time.Now().Before(by); how = o.died() {
			time.Sleep(between)
		}
		if why = err.Error(); how != "" {
			why = ""
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.gone || o.lost != "" || len(o.ends) > ends { // it was noticed meanwhile
		return
	}
	o.gone = true
	o.ends = append(o.ends, o.ended(how, why))
	for v := range o.open {
		v.cancel()
	}
}

// ended returns an end of the server, and marks all open visits as affected. The caller has the lock.
func (o *outages) ended(how, why string) report.End {
	end := report.End{At: time.Now().UTC(), How: how, Why: why, Launched: o.server != nil, While: []report.Open{}, Output: report.LastLines(o.log())}
	for _, v := range slices.SortedFunc(maps.Keys(o.open), func(a, b *openRow) int { return cmp.Or(a.began.Compare(b.began), cmp.Compare(a.Title, b.Title)) }) {
		end.While = append(end.While, v.seen())
		v.met = true
	}
	return end
}

// died returns how the process of the server ended, "" while it runs.
func (o *outages) died() string {
	if o.server == nil {
		return ""
	}
	return o.server.Died()
}

// seen returns the entry of the row in the report, with its unanswered request if it has one. The caller has the lock
// of the outages.
func (v *openRow) seen() report.Open {
	out := v.Open
	if v.session == nil {
		return out
	}
	for _, e := range slices.Backward(v.session.Exchanges()) {
		if came := e.Now(); came.Status == 0 && came.End != record.ClientClose {
			method, path := e.RequestLine()
			out.Request = v.session.Target().Redact(method + " " + path)
			break
		}
	}
	return out
}

// count returns the number of ends noticed so far.
func (o *outages) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.ends)
}

// reported returns the ends so far.
func (o *outages) reported() []report.End {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.ends)
}

// log returns the server's redacted output for the report; "" if the suite didn't start the server.
func (o *outages) log() string {
	if o.server == nil {
		return ""
	}
	return report.ServerOutput(o.target.Redact(o.server.Output()))
}

// isGone reports whether the server is gone, and why it isn't waited for any more.
func (o *outages) isGone() (gone bool, lost string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.gone, o.lost
}

// await returns "" once the server is running, at once unless an end was noticed. Otherwise it returns why the run can't
// continue. Callers wait for each other.
func (o *outages) await(ctx context.Context) string {
	o.bring.Lock()
	defer o.bring.Unlock()
	gone, lost := o.isGone()
	if !gone || lost != "" {
		return lost
	}
	err := o.back(ctx)
	o.mu.Lock()
	defer o.mu.Unlock()
	last := &o.ends[len(o.ends)-1]
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, errTooOften):
		o.lost = fmt.Sprintf("the end of the server, which was the %dth of this run", len(o.ends))
	case err != nil:
		last.Seconds = time.Since(last.At).Seconds()
		o.lost = "an end of the server: " + last.Sentence() + ", and did not come back: " + o.target.Redact(err.Error())
	default:
		last.Back, last.Seconds, o.gone = true, time.Since(last.At).Seconds(), false
	}
	return o.lost
}

var errTooOften = errors.New("the server ends again and again")

// back waits until the server answers, after it was started again where that can be done.
func (o *outages) back(ctx context.Context) error {
	if o.count() > mostRevivals {
		return errTooOften
	}
	rowEndTimeout := 2 * o.target.Timing().Deadline
	for by := time.Now().Add(rowEndTimeout); ; {
		if o.died() != "" {
			return o.server.Revive(ctx)
		}
		err := o.target.Reach(ctx, true)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			return nil
		case time.Now().After(by) && o.server != nil:
			return o.server.Revive(ctx)
		case time.Now().After(by):
			return fmt.Errorf("no answer within %v: %w", rowEndTimeout, err)
		}
		select {
		case <-time.After(between):
		case <-ctx.Done():
		}
	}
}

// hungUp reports whether the server has closed a connection of a session before its answer was complete, or taken none.
func hungUp(s *target.Session) bool {
	return slices.ContainsFunc(s.Exchanges(), func(e *target.Exchange) bool {
		v := e.Now()
		return v.End == record.Broken && (target.HungUp(v.Err) || target.Unreached(v.Err))
	})
}

// newOutages returns the outages of a run, none so far; server is nil where the suite didn't start it.
func newOutages(t *target.Target, server Server) *outages {
	return &outages{target: t, server: server, open: map[*openRow]bool{}}
}
