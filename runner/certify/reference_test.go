package certify_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference"
	chats "github.com/streamcert/streamcert/reference/helix-ui"
	"github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/target"
)

// unoccupied returns the requirements that a judge lists and that no exchange with the reference server is about, with the
// reason: recordings of other servers are.
func unoccupied() map[string]string {
	return map[string]string{
		"helix.wire.heartbeat": "a run tells the judge of no interval, because scenarios side by side delay each other",
	}
}

// uncounted lists mistakes in the counts of a judge: an id that it lists and never counts would pass any server, and one
// that it counts without listing would escape lint.
func uncounted(suite *pack.Suite, counted map[string]int, excepted map[string]string) []string {
	judged := suite.Pack.Judged()
	var out []string
	for _, id := range judged {
		q, known := suite.Book.Get(id)
		switch {
		case !known || !q.Testable():
		case counted[id] == 0 && excepted[id] == "":
			out = append(out, id+" is listed and counted in no scenario: count an occasion where the judge checks it")
		case counted[id] > 0 && excepted[id] != "":
			out = append(out, id+" is counted, so it needs no exception")
		}
	}
	for id := range counted {
		if !slices.Contains(judged, id) {
			out = append(out, id+" is counted and not listed: add it to the requirements of the judge")
		}
	}
	slices.Sort(out)
	return out
}

var (
	completeResultsMu sync.Mutex
	completeResults   = map[string]*certify.Result{}
)

// completeRun certifies the reference server by all of a pack, once for all tests, and returns the result.
func completeRun(t *testing.T, name string) *certify.Result {
	t.Helper()
	completeResultsMu.Lock()
	defer completeResultsMu.Unlock()
	if completeResults[name] == nil {
		served := referenceOf(name, certifytest.Options())
		defer served.Close()
		completeResults[name] = certifytest.Run(t, certifytest.Load(t, name), certifytest.Config(certifytest.Serve(t, served)), target.Options{})
	}
	return completeResults[name]
}

// referenceOf returns the reference server of a pack.
func referenceOf(name string, o reference.Options) restart.Server {
	switch name {
	case "helix-ui":
		return chats.New(chats.Options{ControlToken: o.ControlToken, Token: o.ReaderToken})
	case "merlin":
		return merlin.New(merlin.Options{ControlToken: o.ControlToken, Model: o.Model})
	}
	return reference.New(o)
}

func TestReferencePasses(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSoak does it for helix, and campaigns for all")
	}
	for _, name := range packs.Names() {
		t.Run(name, func(t *testing.T) {
			suite, res := certifytest.Load(t, name), completeRun(t, name)
			if name == "helix" { // others have rules of several users and of limits, which this config doesn't name
				certifytest.MustPass(t, res)
			}
			for _, problem := range uncounted(suite, res.Counted, unoccupied()) {
				t.Error(problem)
			}
		})
	}
}

// TestUncountedIsSeen: the check above must be able to fail.
func TestUncountedIsSeen(t *testing.T) {
	suite := *certifytest.Load(t, "helix")
	suite.Pack.Judged = func() []string { return []string{"helix.wire.json", "helix.wire.utf8", "helix.resume.complete"} }
	got := uncounted(&suite, map[string]int{"helix.wire.utf8": 2, "helix.status.count": 1}, map[string]string{
		"helix.resume.complete": "made up", "helix.wire.utf8": "made up",
	})
	want := []string{
		"helix.status.count is counted and not listed: add it to the requirements of the judge",
		"helix.wire.json is listed and counted in no scenario: count an occasion where the judge checks it",
		"helix.wire.utf8 is counted, so it needs no exception",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
