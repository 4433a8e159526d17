package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// IdleServer is a server that never shows some subjects of its protocol. The runner
// knows it as data: where it comes from is not its business.
type IdleServer struct {
	Name    string
	Summary string   // its behaviour, in a sentence
	Never   []string // requirements whose subject it never shows, as ids or globs
	// Start serves it on a new socket.
	Start Start
}

// never reports whether the server declares that it doesn't show the subject of a requirement.
func (s IdleServer) never(id string) bool {
	return slices.ContainsFunc(s.Never, func(p string) bool { return pack.Matches(p, id) })
}

// IdleOptions configure a run of a catalogue.
type IdleOptions struct {
	Config      target.Config // headers and tokens that every server of the catalogue expects
	Only        []string      // names or globs; all when empty
	Concurrency int           // servers at a time; 0 means 3
	Seed        int64
	Progress    func(done, total int, r IdleResult)
}

// IdleResult is the result of certifying one idle server.
type IdleResult struct {
	Name    string   `json:"name"`
	Summary string   `json:"summary"`
	Never   []string `json:"never"`
	// Vacuous are the requirements that passed although the server never shows their subject.
	Vacuous []string `json:"vacuous"`
	Broken  []string `json:"broken"` // requirements that failed or were warned of
	// Shown counts by chapter how many of its requirements passed.
	Shown   map[string]int `json:"shown"`
	Seconds float64        `json:"seconds"`
}

// IdleReport is the result of running a catalogue. Its JSON form is described by
// schemas/idle.json.
type IdleReport struct {
	Servers int          `json:"servers"`
	Vacuous int          `json:"vacuous"` // vacuous passes of all servers
	Seed    int64        `json:"seed"`
	Results []IdleResult `json:"results"`
	Shows   []Chapter    `json:"chapters"` // in the order of the spec
	Seconds float64      `json:"seconds"`
}

// Chapter is a chapter of the spec.
type Chapter struct {
	Name         string `json:"name"`
	Requirements int    `json:"requirements"` // that can be tested
}

// OK reports whether no server passed anything that it never shows.
func (r *IdleReport) OK() bool { return r.Vacuous == 0 }

// Idle runs every scenario of the suite against each idle server and collects the requirements that pass although the
// server never shows their subject. The error is a *pack.SelectionError, or that of a server that can't be run.
func Idle(ctx context.Context, s *pack.Suite, catalogue []IdleServer, o IdleOptions) (*IdleReport, error) {
	began := time.Now()
	chosen, err := chooseNamed("idle server", catalogue, func(i IdleServer) string { return i.Name }, o.Only)
	if err != nil {
		return nil, err
	}
	rep := &IdleReport{Servers: len(chosen), Results: make([]IdleResult, len(chosen)), Seed: o.Seed, Shows: chapters(s)}
	order := make([]int, len(chosen))
	for i := range order {
		order[i] = i
	}
	errs := inPool(order, cmp.Or(o.Concurrency, 3), func(i int) (err error) {
		rep.Results[i], err = idled(ctx, s, chosen[i], o)
		return err
	}, func(i, done int) {
		if o.Progress != nil {
			o.Progress(done, len(chosen), rep.Results[i])
		}
	})
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("running idle server %s: %w", chosen[i].Name, err)
		}
	}
	for _, r := range rep.Results {
		rep.Vacuous += len(r.Vacuous)
	}
	rep.Seconds = time.Since(began).Seconds()
	return rep, ctx.Err()
}

// SelectsIdle reports by a *pack.SelectionError whether a selection finds nothing in a
// catalogue.
func SelectsIdle(catalogue []IdleServer, only []string) error {
	_, err := chooseNamed("idle server", catalogue, func(i IdleServer) string { return i.Name }, only)
	return err
}

// chapters lists the chapters with requirements that a run can prove of a server.
func chapters(s *pack.Suite) []Chapter {
	out := []Chapter{}
	for _, q := range s.Book.Pack(s.Pack.Name) {
		if !q.Testable() {
			continue
		}
		if len(out) == 0 || out[len(out)-1].Name != q.Chapter {
			out = append(out, Chapter{Name: q.Chapter})
		}
		out[len(out)-1].Requirements++
	}
	return out
}

// impatient is the deadline of waits. Most events that the scenarios wait for never come, and a verdict after a shortened
// wait is no pass.
const impatient = 2 * time.Second

func idled(ctx context.Context, s *pack.Suite, server IdleServer, o IdleOptions) (IdleResult, error) {
	began, cfg := time.Now(), o.Config
	out := IdleResult{
		Name: server.Name, Summary: server.Summary, Never: server.Never, Vacuous: []string{}, Broken: []string{}, Shown: map[string]int{},
	}
	url, stop, err := server.Start()
	if err != nil {
		return out, err
	}
	defer stop()
	cfg.URL, cfg.Timing.Deadline = url, impatient
	cfg.Timing.Heartbeat *= leeway
	t, err := target.New(cfg, target.Options{})
	if err != nil {
		return out, err
	}
	defer t.Close()
	res, err := certify.Run(ctx, s, certify.Options{Target: t, Seed: o.Seed, Concurrency: sideBySide})
	if err != nil {
		return out, err
	}
	if res.Report.Fault != "" { // without a run, nothing passes, which proves nothing of the suite
		return out, errors.New(res.Report.Fault)
	}
	for _, q := range res.Report.Requirements {
		switch q.Verdict {
		case report.Pass:
			out.Shown[q.Chapter]++
			if server.never(q.ID) {
				out.Vacuous = append(out.Vacuous, q.ID)
			}
		case report.Fail, report.Warn:
			out.Broken = append(out.Broken, q.ID)
		}
	}
	out.Seconds = time.Since(began).Seconds()
	return out, nil
}
