package runner

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// Test certifies a server as a part of go test. Each requirement is a subtest
// below one for its pack, TestServer/<pack>/<pack>.resume.complete, so that -run
// chooses some and only their scenarios run:
//
//	go test -run 'TestServer/<pack>/<pack>.resume'
//
// A broken MUST is an error with the text that certify prints, and so is what the
// suite could not find out; a broken SHOULD is logged, or an error if the options
// are strict. What is not claimed, unprovable or known is skipped with its reason.
//
// The packs are those of the config or, where it names none, all that the server
// offers. The server must run until Test returns. The seed is 1 unless an option
// sets another one.
func Test(t *testing.T, cfg target.Config, options ...func(*Options)) {
	t.Helper()
	server, err := target.New(cfg, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	o := Options{Seed: 1}
	for _, set := range options {
		set(&o)
	}
	o.Target = server
	names := cfg.Packs
	if len(names) == 0 {
		names = packs.Names()
	}
	files := Files{Spec: spec.FS, Schemas: schemas.FS, Features: features.FS, Golden: golden.FS}
	var absent []string
	for _, name := range names {
		suite, err := Load(files, name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			if _, err := certify.Preflight(t.Context(), suite, server); err != nil {
				absent = append(absent, server.Redact(err.Error()))
				if len(cfg.Packs) == 0 {
					t.Skipf("the server doesn't offer pack %s: %s", name, absent[len(absent)-1])
				}
				t.Fatal(absent[len(absent)-1])
			}
			test(t, suite, o)
		})
	}
	if len(absent) == len(names) && len(cfg.Packs) == 0 {
		t.Errorf("the server offers no pack:\n%s", strings.Join(absent, "\n"))
	}
}

// test makes a subtest of each requirement. All that -run lets through are known
// before the first of them goes on, which then runs the scenarios for all.
func test(t *testing.T, suite *pack.Suite, o Options) {
	plan, err := certify.NewPlan(suite, o.Target, o.Only, o.Seed)
	if err != nil {
		t.Fatal(err)
	}
	o.Rerun = "go test -run '^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$/^%s$'"
	ctx := t.Context()
	o.Only = nil
	run := sync.OnceValues(func() (*certify.Result, error) { return certify.Run(ctx, suite, o) })
	for _, q := range plan.Requirements {
		t.Run(q.ID, func(t *testing.T) {
			o.Only = append(o.Only, q.ID)
			t.Parallel() // goes on when every subtest has come this far
			result, err := run()
			if err != nil {
				t.Fatal(err)
			}
			say(t, result.Report, q.ID)
		})
	}
}

// say gives a test the verdict on a requirement.
func say(t *testing.T, r *report.Report, id string) {
	t.Helper()
	for _, q := range r.Requirements {
		if q.ID != id {
			continue
		}
		switch broken := q.Verdict == report.Warn; {
		case q.Verdict == report.Pass:
		case q.Verdict == report.Fail, q.Verdict == report.Error, broken && r.Suite.Strict:
			t.Error("\n" + r.Describe(q))
		case broken:
			t.Log("\n" + r.Describe(q))
		default:
			t.Skip(strings.TrimSuffix(fmt.Sprintf("%s: %s", q.Verdict, q.Reason), ": "))
		}
		return
	}
	t.Errorf("the report says nothing of %s", id)
}
