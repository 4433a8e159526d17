package lab

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"testing"

	"github.com/streamcert/streamcert/reference/store/redis/redistest"
)

// killed is the phase in which a server is killed.
type killed string

const (
	beforeWrite killed = "before XADD"
	inWrite     killed = "between XADD and the answer"
	afterWrite  killed = "after the answer"
	inRun       killed = "in mid-run"
	inRemoval   killed = "in mid-truncation"
)

var phases = []killed{beforeWrite, inWrite, afterWrite, inRun, inRemoval, talkBefore, talkIn, talkAfter, talkRun}

// killsOfPhase returns the number of kills in each phase, in a soak or not.
func killsOfPhase() int {
	if os.Getenv("STREAMCERT_SOAK") != "" {
		return 400
	}
	return 6
}

// TestKills kills a server at known moments, and checks the next one over the same Redis: an acknowledged write is there
// once, and any other once or not at all.
func TestKills(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	for _, phase := range phases {
		t.Run(string(phase), func(t *testing.T) {
			t.Parallel()
			faults := kill(t, redis, phase, 0, killsOfPhase(), func(url string) *exec.Cmd {
				return program("serve", "--store", url)
			})
			for _, f := range faults {
				t.Error(f)
			}
		})
	}
}

// TestKillsAreSeen: servers that keep a write badly are found out by the kill that shows it.
func TestKillsAreSeen(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	for _, c := range []struct {
		bug      string
		phase    killed
		from, to int    // the kills of which one shows the fault
		expect   string // an expression
	}{
		{answersFirst, beforeWrite, 0, 1, "and isn't there"},
		{answersFirst, afterWrite, 0, 1, "and isn't there"},
		{removesLater, inRemoval, 1, 2, "was answered and not done"},
		{replays, inWrite, 0, 1, "twice"},
		{neverFences, inRun, 16, 40, "it says"}, // the command depends on the writes of a run
		// Which of the writes before the kill were still to be done, of all or of some, depends on the machine.
		{writesBehind, talkBefore, 1, 2, "can't be asked|and isn't there"},
		{writesBehind, talkAfter, 0, 1, "can't be asked|and isn't there"},
		{repeats, talkIn, 0, 2, "is there twice"},
		{repeats, talkRun, 33, 34, "is there twice"}, // at its last command
		{resolvesInMemory, talkAfter, 3, 4, "is resolved twice"},
		{resolvesInMemory, talkIn, 3, 4, "is resolved twice"},
	} {
		t.Run(fmt.Sprint(c.bug, " ", c.phase), func(t *testing.T) {
			faults := kill(t, redis, c.phase, c.from, c.to, func(url string) *exec.Cmd { return buggy(c.bug, url) })
			if !slices.ContainsFunc(faults, regexp.MustCompile(c.expect).MatchString) {
				t.Errorf("nobody sees it: %q", faults)
			}
		})
	}
}

// killer kills servers in one phase and keeps the books on them.
type killer interface {
	kill(n int, next func() *process) // one more server, the one that serves now; next begins the one after it
	books() (now **process, faults *[]string, counters map[string]int)
}

func newKiller(t *testing.T, phase killed, v *valve) killer {
	switch phase {
	case inRun:
		return newRunKills(t, v)
	case talkRun:
		return newTalkRuns(t, v)
	case talkBefore, talkIn, talkAfter:
		return newTalkWrites(t, phase, v)
	}
	return &callLog{t: t, valve: v, phase: phase, counters: map[string]int{}}
}

func (l *callLog) books() (**process, *[]string, map[string]int) {
	return &l.now, &l.faults, l.counters
}
func (r *runKills) books() (**process, *[]string, map[string]int) {
	return &r.now, &r.faults, r.counters
}
func (k *talkWrites) books() (**process, *[]string, map[string]int) {
	return &k.now, &k.faults, k.counters
}
func (k *talkRuns) books() (**process, *[]string, map[string]int) {
	return &k.now, &k.faults, k.counters
}

// kill kills servers in one phase, for a range of kill numbers, and returns the mistakes of their successors.
func kill(t *testing.T, redis *redistest.Server, phase killed, from, to int, server func(url string) *exec.Cmd) (faults []string) {
	t.Helper()
	v := newValve(t, redis.Addr)
	next := func() *process { return begin(t, server(v.URL)) }
	k := newKiller(t, phase, v)
	now, found, counters := k.books()
	*now = next()
	defer func() { (*now).kill() }()
	for n := from; n < to; n++ {
		k.kill(n, next)
	}
	t.Logf("%d kills %s: %v; %d faults", to-from, phase, counters, len(*found))
	return *found
}
