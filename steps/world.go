package steps

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
)

// Env is shared by all scenarios of a run.
type Env struct {
	Schemas *schemas.Set // of the pack
	// Judge returns the judge's findings on an exchange, and its counts of checks by requirement.
	Judge func(*record.Exchange) ([]record.Finding, map[string]int)
	// Unscripted is why the server's agent takes no script, "" if it takes one.
	Unscripted string
	// Withheld is why the scenario can't be played at all, "" if it can.
	Withheld string
	// Seed determines the random choices of scenarios.
	Seed int64
	// Effort selects how many programs of campaigns are played.
	Effort campaign.Effort
	// Unshrunk leaves a program that found something as it was drawn, for callers that only need to know whether one did.
	Unshrunk bool
	// Waits is called by a probe when it begins to wait, and Over is closed when the wait is over. Without them a probe
	// doesn't wait.
	Waits func()
	Over  <-chan struct{}
}

// State is a pack's part of a scenario's [World]: its connections and written data. [Of] makes it.
type State interface {
	// Finish waits until every response that sent a terminal frame, or is no
	// stream, has been closed or the deadline has passed.
	Finish()
	// Taken returns how many frames of an exchange the steps have looked at, 0 for
	// an exchange that isn't theirs.
	Taken(*target.Exchange) int
	// Timestamps are the milliseconds of Unix time that the scenario itself wrote.
	Timestamps() []int64
}

// World is the state of one scenario of any pack. Steps of one scenario are sequential; only the fields that a step itself
// uses from several goroutines are locked.
type World struct {
	env         Env             // never changes
	session     *target.Session // of this scenario alone
	requirement string          // that the scenario proves; "" for a fixture without one
	step        string          // text of the step that is running

	state           State         // nil until a step asks for it
	usedAlternative bool          // an allowed one, so that the transcript isn't compared with the reference's
	silence         time.Duration // that a probe has waited for

	mu        sync.Mutex         // guards all below
	calls     []*target.Exchange // control calls, in their order
	occasions int                // of requirement
	others    map[string]int     // occasions by requirement, of a campaign, which checks several
	proven    map[string]int     // the greatest number by what it counts; nil before the first
	unplayed  []Unplayed         // campaigns that time ended
	err       error              // of the first step that failed; nil before
}

// NewWorld begins the world of a scenario that proves one requirement.
func NewWorld(env Env, session *target.Session, requirement string) *World {
	return &World{env: env, session: session, requirement: requirement}
}

// Of returns the state that a pack keeps of a world. The first call makes it.
func Of[S State](w *World, begin func(*World) S) S {
	if s, ok := w.state.(S); ok {
		return s
	}
	s := begin(w)
	w.state = s
	return s
}

// Env is shared by all scenarios of the run.
func (w *World) Env() Env { return w.env }

// Requirement returns the id of the requirement that the scenario proves.
func (w *World) Requirement() string { return w.requirement }

// Step returns the text of the step that is running.
func (w *World) Step() string { return w.step }

// Heading notes which step runs; exchanges are recorded under it.
func (w *World) Heading(text string) { w.step = text }

// Session returns the record of the scenario.
func (w *World) Session() *target.Session { return w.session }

// Err is the outcome of the first step that did not succeed: a *Failure, an
// *Unprovable or a *Fault; nil when all did.
func (w *World) Err() error { return w.err }

// Occasions returns how often the scenario's Thens checked something.
func (w *World) Occasions() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.occasions
}

// UsedAlternative reports whether the server used an allowed alternative, so that
// its transcript isn't compared with the reference's.
func (w *World) UsedAlternative() bool { return w.usedAlternative }

// NoteAlternative notes that the server used an alternative that the spec allows.
func (w *World) NoteAlternative() { w.usedAlternative = true }

// Call makes a control call and records it; session.Call describes its arguments and its error. It may be called
// concurrently.
func (w *World) Call(method, path string, body []byte, allow404 bool) (*target.Exchange, error) {
	return CallAt(w, 0, method, path, body, allow404)
}

// CallAt is Call at a replica, counted from 1; 0 is the current one.
func CallAt(w *World, replica int, method, path string, body []byte, allow404 bool) (*target.Exchange, error) {
	call, err := w.session.CallAt(replica, method, path, body, allow404)
	w.mu.Lock()
	w.calls = append(w.calls, call)
	w.mu.Unlock()
	return call, err
}

// Calls returns the control calls so far, in the order of their answers.
func (w *World) Calls() []*target.Exchange {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.calls)
}

// Idle lets time pass, where a rule is about time itself. It ends early when the
// scenario does.
func (w *World) Idle(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.session.Context().Done():
	}
}

// outlast waits until every other scenario has ended, and no longer than a silence that the server declares.
func (w *World) outlast() (err error) {
	if w.env.Over == nil {
		return nil
	}
	w.env.Waits()
	w.silence, err = w.session.Await(w.env.Over)
	return err
}

// Silence returns how long a probe has waited.
func (w *World) Silence() time.Duration { return w.silence }

// Saw counts n occasions: things that a Then looked at and found right.
func (w *World) Saw(n int) {
	w.mu.Lock()
	w.occasions += n
	w.mu.Unlock()
}

// SawOf counts occasions of several requirements, which a campaign checks.
func (w *World) SawOf(occasions map[string]int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.others == nil {
		w.others = map[string]int{}
	}
	for id, n := range occasions {
		w.others[id] += n
	}
}

// Proved records how much of something the server was seen to accept and to deliver; what names it, such as "events of a
// stream". The largest number is stored.
func (w *World) Proved(what string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n < 1 {
		return
	}
	if w.proven == nil {
		w.proven = map[string]int{}
	}
	w.proven[what] = max(w.proven[what], n)
}

// RecordUnplayed records that time ended a campaign before all of its programs were played; what names its subject.
func (w *World) RecordUnplayed(what string, played, of int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unplayed = append(w.unplayed, Unplayed{what, played, of})
}

// Unplayed is a campaign that time ended: of so many programs so many were played.
type Unplayed struct {
	What       string // for the message
	Played, Of int    // less than Of
}

// Unplayed returns the campaigns that RecordUnplayed recorded.
func (w *World) Unplayed() []Unplayed {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.unplayed)
}

// Proven returns the values that Proved recorded.
func (w *World) Proven() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.proven)
}

// Others returns the occasions that SawOf counted, by requirement.
func (w *World) Others() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.others)
}

// Finish waits until every response that sent a terminal frame, or is no stream,
// has been closed or the deadline has passed, so that the record shows it.
func (w *World) Finish() {
	if w.state != nil {
		w.state.Finish()
	}
}

// Taken returns how many frames of an exchange the steps have looked at.
func (w *World) Taken(e *target.Exchange) int {
	if w.state == nil {
		return 0
	}
	return w.state.Taken(e)
}

// Timestamps returns the milliseconds of Unix time that the scenario itself wrote.
func (w *World) Timestamps() []int64 {
	if w.state == nil {
		return nil
	}
	return w.state.Timestamps()
}
