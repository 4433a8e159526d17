package generated

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/pack/aep"
	"github.com/streamcert/streamcert/runner/pack/helix"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/prove/killreport"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

func options(t testing.TB, p pack.Pack) Options {
	t.Helper()
	set, err := schemas.Load(schemas.FS, p.Name)
	if err != nil {
		t.Fatal(err)
	}
	book, _, err := spec.Load(spec.FS)
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Pack: p, Schemas: set, Files: schemas.FS, Golden: golden.FS,
		Counts: func(id string) bool {
			r, known := book.Get(id)
			return known && r.Level != spec.May
		},
	}
}

// TestEveryShape: the suite finds the mutants of every other pack with a Shape.
func TestEveryShape(t *testing.T) {
	for _, p := range packs.All() {
		if p.Shape == nil || p.Name == helix.Pack().Name {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			rep, err := Run(options(t, p))
			if err != nil {
				t.Fatal(err)
			}
			if rep.Total < 100 || !rep.OK() {
				t.Errorf("%d of %d were found out; not: %q", rep.Killed, rep.Total, rep.Survived)
			}
		})
	}
}

// TestNoShape: a pack without a Shape has no mutants.
func TestNoShape(t *testing.T) {
	o := options(t, aep.Pack())
	o.Pack.Shape = nil
	if rep, err := Run(o); err != nil || rep.Total != 0 || !rep.OK() {
		t.Errorf("got %+v, %v", rep, err)
	}
}

// contextual are the rules that an example breaks because it is alone, or because the schema allows what a rule advises
// against.
var contextual = []string{
	"helix.resync.from-sequence", "helix.runs.known-checkpoint", "helix.state.empty-patch", "helix.subagents.paired",
	"helix.text.empty-delta", "helix.tools.start-first",
}

// TestUnchangedIsClean: a kill means nothing where the judge or the comparison has findings on the unchanged response.
func TestUnchangedIsClean(t *testing.T) {
	o := options(t, helix.Pack())
	for _, d := range documents(o.Schemas) {
		for _, f := range o.produced(d.schema, d.value, encode(d.value)) {
			if f.Schema != "" || !slices.Contains(contextual, f.Requirement) {
				t.Errorf("%s, %s: %+v", d.schema, d.example, f)
			}
		}
	}
	names, err := golden.Names(o.Golden)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !strings.HasPrefix(name, o.Pack.Name+"/") {
			continue
		}
		file, err := golden.Read(o.Golden, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, transcript := range file.Transcripts {
			if produced(transcript) {
				continue
			}
			for i, e := range transcript.Exchanges {
				c := wireChange{transcript: transcript, exchange: i, to: e}
				if e.Status != 0 && o.killsResponse(c, golden.Bindings{Timestamps: timestamps(transcript)}) {
					t.Errorf("%s, exchange %d: killed as it is: %+v", name, i+1, o.exchange(transcript, i, e))
				}
			}
		}
	}
}

// TestRun checks the gate, the list of survivors, and that every rule is needed.
func TestRun(t *testing.T) {
	o := options(t, helix.Pack())
	rep, err := Run(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d killed, %d survived", rep.Killed, rep.Total, len(rep.Survived))
	if !rep.OK() || rep.Total < 10000 || rep.Killed+len(rep.Survived) != rep.Total {
		t.Errorf("%d of %d killed; without a reason: %q", rep.Killed, rep.Total, rep.Unexplained())
	}
	var survived []string
	for _, s := range rep.Survived {
		survived = append(survived, s.Name)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(survivors())), survived); diff != "" {
		t.Errorf("the list of survivors isn't exact:\n%s", diff)
	}
	for _, e := range rep.Excluded {
		if e.Count == 0 || e.Reason == "" {
			t.Errorf("rule %q excludes %d changes because %q", e.Rule, e.Count, e.Reason)
		}
	}
}

func TestRunIsDeterministic(t *testing.T) {
	const name = "helix/status/pausing-under-a-reader.txt"
	one, err := fs.ReadFile(golden.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	o := options(t, helix.Pack())
	o.Golden = fstest.MapFS{name: {Data: one}}
	var reports [2]*killreport.Generated
	for i := range reports {
		if reports[i], err = Run(o); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(reports[0], reports[1]); diff != "" {
		t.Errorf("the second run differs:\n%s", diff)
	}
}

// TestFreedomsAreRequirements: a rule cites existing requirements.
func TestFreedomsAreRequirements(t *testing.T) {
	book, _, err := spec.Load(spec.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range slices.Concat(options(t, helix.Pack()).exclusions(), options(t, aep.Pack()).exclusions()) {
		if _, known := book.Get(e.Freedom); e.Freedom != "" && !known {
			t.Errorf("rule %q cites %q, which is no requirement", e.Rule, e.Freedom)
		}
	}
}

// blind is a judge that finds nothing.
type blind struct{}

func (blind) Head(judge.Head) []record.Finding   { return nil }
func (blind) Frame(*wire.Frame) []record.Finding { return nil }
func (blind) Close(record.End) []record.Finding  { return nil }
func (blind) Occasions() map[string]int          { return nil }
func (blind) Unknown() int                       { return 0 }

// TestBlindJudgeIsFoundOut: the measure must be able to fail.
func TestBlindJudgeIsFoundOut(t *testing.T) {
	o := options(t, helix.Pack())
	o.Golden = fstest.MapFS{}
	whole, err := Run(o)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Total == 0 || whole.Killed < whole.Total-2 {
		t.Errorf("of the schemas' mutants %d of %d are killed", whole.Killed, whole.Total)
	}
	o.Pack.Machine = func(judge.Options) judge.Machine { return blind{} }
	rep, err := Run(o)
	if err != nil {
		t.Fatal(err)
	}
	if rep.OK() || rep.Killed != 0 || rep.Total != whole.Total {
		t.Errorf("a blind judge kills %d of %d", rep.Killed, rep.Total)
	}
	o = options(t, helix.Pack())
	o.Counts = func(id string) bool { return id != "helix.chunks.agent-id" }
	o.Golden = fstest.MapFS{}
	if rep, err = Run(o); err != nil || rep.OK() {
		t.Errorf("a judge without one rule passes: %d of %d, %v", rep.Killed, rep.Total, err)
	}
}

func TestRunRefusesWhatItCannotRead(t *testing.T) {
	o := options(t, helix.Pack())
	o.Files = fstest.MapFS{}
	if _, err := Run(o); err == nil {
		t.Error("no error without schema files")
	}
	o = options(t, helix.Pack())
	o.Golden = fstest.MapFS{"helix/wire/x.txt": {Data: []byte("no golden")}}
	if _, err := Run(o); err == nil {
		t.Error("no error with a golden that doesn't parse")
	}
}

// TestSchemaChanges checks one document closely.
func TestSchemaChanges(t *testing.T) {
	o := options(t, helix.Pack())
	candidates, err := o.schemaMutants()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, c := range candidates {
		all[c.name] = c.excluded
	}
	for name, excluded := range map[string]string{
		"schema frames/truncated, example 1: /truncatedAtStep dropped":             "",
		"schema frames/truncated, example 1: /truncatedAtStep below the minimum":   "",
		"schema frames/truncated, example 1: /truncatedAtStep above the maximum":   "",
		"schema frames/truncated, example 1: /truncatedAtStep as a fraction":       "",
		"schema frames/truncated, example 1: /truncatedAtStep as string":           "",
		"schema frames/truncated, example 1: /chunk where it must not be":          "",
		"schema frames/truncated, example 1: /atSequence dropped":                  "optional member dropped",
		"schema frames/truncated, example 2: /atSequence as string":                "",
		"schema frames/truncated, example 1: /type not the constant":               "type from the future",
		"schema frames/status, example 1: /status out of the list":                 "",
		"schema frames/chunk, example 1: /chunk/agentId too short":                 "",
		"schema chunks/state_patch, example 1: /patches/0/path out of the pattern": "",
	} {
		if got, made := all[name]; !made || got != excluded {
			t.Errorf("%s: made %v, excluded by %q, want %q", name, made, got, excluded)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	o := options(b, helix.Pack())
	for b.Loop() {
		if _, err := Run(o); err != nil {
			b.Fatal(err)
		}
	}
}
