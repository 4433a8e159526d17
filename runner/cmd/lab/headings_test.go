package lab

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

const (
	drawnPerPack      = 15 // mutants, of which
	drawnCampaignOnly = 3  // only campaigns find
	drawnInATest      = 6  // of all, without STREAMCERT_SOAK
	leastNamed        = 55 // of 60
	atATime           = 3
	headingsSeed      = 60
	slowestMedian     = 2 * time.Second // of the rerun lines
)

// The command lines that certify mutants: those that scenarios find, and those that only campaigns do.
const (
	quickly = "streamcert certify --effort quick --seed 1"
	fully   = "streamcert certify --seed 1"
)

// drawnMutant is a broken server and the suite that it is certified by.
type drawnMutant struct {
	prove.Mutant
	suite *pack.Suite
	lab   *embedded
	line  string // that certifies it
}

// drawnMutants draws mutants of every pack, always the same.
func drawnMutants(t *testing.T) []drawnMutant {
	t.Helper()
	a := testApp()
	suites, err := a.Suites(command.EveryPack)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(headingsSeed, 0))
	var out []drawnMutant
	for _, suite := range suites {
		own := a.newEmbedded()
		draw := func(catalogue []prove.Mutant, n int, line string) {
			random.Shuffle(len(catalogue), func(i, j int) { catalogue[i], catalogue[j] = catalogue[j], catalogue[i] })
			for _, m := range catalogue[:n] {
				out = append(out, drawnMutant{m, suite, own, line})
			}
		}
		draw(own.mutants(suite.Pack.Name), drawnPerPack-drawnCampaignOnly, quickly)
		draw(own.campaignOnly(false)(suite.Pack.Name), drawnCampaignOnly, fully)
	}
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// certified is the outcome of a command line.
type certified struct {
	text   string // the console's
	failed bool
	took   time.Duration
}

// certify runs a command line of certify against the mutant.
func (m drawnMutant) certify(t *testing.T, line string) certified {
	t.Helper()
	o := certify.Options{Rerun: m.line + " --only %s", Confirm: 20}
	flags := pflag.NewFlagSet("certify", pflag.ContinueOnError)
	flags.Int64Var(&o.Seed, "seed", 0, "")
	flags.StringVar((*string)(&o.Effort), "effort", string(campaign.Standard), "")
	flags.StringArrayVar(&o.Only, "only", nil, "")
	flags.IntVar(&o.Concurrency, "concurrency", 8, "")
	if err := flags.Parse(strings.Fields(strings.ReplaceAll(strings.TrimPrefix(line, "streamcert certify "), "'", ""))); err != nil {
		t.Errorf("%s: %v", line, err)
		return certified{}
	}
	url, stop, err := m.Start()
	if err != nil {
		t.Error(err)
		return certified{}
	}
	defer stop()
	cfg := m.lab.Config
	cfg.URL, cfg.Timing.Deadline = url, time.Second
	at, err := target.New(cfg, target.Options{})
	if err != nil {
		t.Error(err)
		return certified{}
	}
	defer at.Close()
	o.Target = at
	began := time.Now()
	result, err := certify.Run(t.Context(), m.suite, o)
	if err != nil {
		t.Errorf("%s: %s: %v", m.Name, line, err)
		return certified{}
	}
	var console bytes.Buffer
	if err := (report.Console{}).Write(&console, result.Report); err != nil {
		t.Error(err)
	}
	return certified{console.String(), result.Report.Summary.Fail+result.Report.Summary.Warn > 0, time.Since(began)}
}

var (
	headingLine = regexp.MustCompile(`(?m)^(?:FAIL|WARN)  (\S+) \(`)
	rerunLine   = regexp.MustCompile(`(?m)^    rerun  (streamcert certify .*)$`)
)

// heading is the result of certifying a mutant with all of its pack.
type heading struct {
	found, names bool          // the mutant, and by its first heading the requirement that it breaks, or one that it breaks also
	rerun        time.Duration // of the line below the heading; 0 if nothing fails in it
	story        string
}

// head certifies a mutant, and tries the first rerun line of its report.
func (m drawnMutant) head(t *testing.T) heading {
	t.Helper()
	text := m.certify(t, m.line).text
	first, rerun := headingLine.FindStringSubmatch(text), rerunLine.FindStringSubmatch(text)
	if first == nil || rerun == nil {
		return heading{story: "nothing fails, or no line says how to rerun it"}
	}
	out := heading{found: true, names: slices.Contains(append(m.Also, m.Requirement), first[1])}
	again := m.certify(t, rerun[1])
	if again.failed {
		out.rerun = again.took
	}
	out.story = fmt.Sprintf("breaks %s; heading %s; in %v: %s", m.Requirement, first[1], out.rerun, rerun[1])
	return out
}

// TestFirstHeadingNamesTheBug: the first heading of a report names the requirement that a mutant breaks, or one that it
// breaks also, and the rerun line below it fails again within seconds.
func TestFirstHeadingNamesTheBug(t *testing.T) {
	t.Parallel()
	soak := os.Getenv("STREAMCERT_SOAK") != ""
	all := drawnMutants(t)
	if !soak { // campaigns take minutes on a busy machine
		all = slices.DeleteFunc(all, func(m drawnMutant) bool { return m.line != quickly })[:drawnInATest]
	}
	headings := make([]heading, len(all))
	var group sync.WaitGroup
	slots := make(chan struct{}, atATime)
	for i, m := range all {
		slots <- struct{}{}
		group.Go(func() {
			headings[i] = m.head(t)
			<-slots
		})
	}
	group.Wait()
	found, names, took := 0, 0, []time.Duration{}
	for i, h := range headings {
		t.Logf("%s: %s", all[i].Name, h.story)
		found, names = found+count(h.found), names+count(h.names)
		if h.rerun > 0 {
			took = append(took, h.rerun)
		}
	}
	slices.Sort(took)
	took = append(took, 0)
	median := took[len(took)/2]
	t.Logf("of %d mutants %d fail; the first headings of %d name the bug; %d rerun lines fail again, median %v", len(all), found, names, len(took)-1, median)
	if least := len(all) * leastNamed / 60; names < least || len(took)-1 < least || soak && median > slowestMedian {
		t.Errorf("expected %d of each and a median of at most %v", least, slowestMedian)
	}
}

func count(set bool) int {
	if set {
		return 1
	}
	return 0
}
