package prove_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
	variant "github.com/streamcert/streamcert/reference/variant/helix"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	targethelix "github.com/streamcert/streamcert/runner/target/helix"
)

// encoder rewrites the blocks of the reference's encoder.
type encoder func(block []byte) []byte

func (f encoder) Append(dst []byte, e store.Event) []byte {
	return append(dst, f(helix.Frames{}.Append(nil, e))...)
}

func encoding(f encoder) func(reference.Options) reference.Options {
	return func(o reference.Options) reference.Options {
		o.Encoder = func(helix.Reader) helix.Encoder { return f }
		return o
	}
}

func variants(t testing.TB, catalogue []variant.Variant) []prove.Variant {
	t.Helper()
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	var out []prove.Variant
	for _, v := range catalogue {
		out = append(out, prove.Variant{
			Name: v.Name, Freedom: v.Freedom, Summary: v.Summary, Warns: v.Warns, HTTP2: v.HTTP2, Slow: v.Slow,
			MaxConnection: v.MaxConnection, Limits: target.Limits{String: v.LongestString, Events: v.Events, Readers: v.Readers},
			Sections: []any{targethelix.Config{Replay: v.Replays, Partial: v.Partial}},
			Start: func() (string, func(), error) {
				o := certifytest.Options()
				o.Validate = validate
				h := variant.Handler(v, o)
				return certifytest.Listen(h, h.Close)
			},
		})
	}
	return out
}

// TestVariantsPass runs the complete suite against every variant: none may be accused.
func TestVariantsPass(t *testing.T) {
	if testing.Short() {
		t.Skip("the suite against the catalogue takes a while")
	}
	all := os.Getenv("STREAMCERT_SOAK") != ""
	catalogue, seed := variant.Catalogue(), rand.Int64N(1_000_000_000)
	if !all { // make variants runs them all
		catalogue = slices.DeleteFunc(catalogue, func(variant.Variant) bool { return rand.IntN(64) != 0 })
	}
	t.Logf("%d variants with seed %d", len(catalogue), seed)
	rep, err := prove.Variants(context.Background(), certifytest.Load(t, "helix"), variants(t, catalogue), prove.VariantOptions{Config: certifytest.Config(""), All: all, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	warned := map[string][]string{}
	for _, r := range rep.Results {
		warned[r.Name] = r.Warns
		for _, h := range r.Accusations {
			t.Errorf("%s (%s): %s %s: %s\n  %s %s", r.Name, r.Freedom, h.Requirement, h.Verdict, h.Message, h.Scenario, h.Position)
		}
	}
	for _, v := range catalogue {
		for _, id := range v.Warns {
			if all && !slices.Contains(warned[v.Name], id) {
				t.Errorf("%s: %s does not warn, although it isn't followed", v.Name, id)
			}
		}
	}
	t.Logf("%d variants, %d accused, %.1f s", rep.Variants, len(rep.Accused), rep.Seconds)
}

// TestVariantsAccuse: the check above must be able to fail.
func TestVariantsAccuse(t *testing.T) {
	if testing.Short() {
		t.Skip("several runs of three chapters")
	}
	named := encoding(func(block []byte) []byte { return append([]byte("event: note\n"), block...) })
	rep, err := prove.Variants(context.Background(), certifytest.Chapters(t, "helix", "wire", "lifecycle", "resume"), variants(t, []variant.Variant{
		{Name: "right"},
		{Name: "wrong", Apply: encoding(func(block []byte) []byte { return bytes.Replace(block, []byte(`"sequence":`), []byte(`"seq":`), 1) })},
		{Name: "silent-on-its-warning", Apply: named},
		{Name: "open-about-its-warning", Warns: []string{"helix.wire.unnamed"}, Apply: named},
	}), prove.VariantOptions{Config: certifytest.Config(""), Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	// The last is accused because of its goldens, which contain no such name.
	if diff := cmp.Diff([]string{"wrong", "silent-on-its-warning", "open-about-its-warning"}, rep.Accused); diff != "" || rep.OK() {
		t.Error(diff)
	}
	verdicts := map[string]bool{}
	for _, r := range rep.Results {
		for _, h := range r.Accusations {
			verdicts[r.Name+" "+h.Requirement+" "+string(h.Verdict)] = true
		}
	}
	for want, is := range map[string]bool{
		"wrong helix.wire.sequence " + string(report.Fail):                 true,
		"silent-on-its-warning helix.wire.unnamed " + string(report.Warn):  true,
		"open-about-its-warning helix.wire.unnamed " + string(report.Warn): false,
		"open-about-its-warning  ":                                         true,
	} {
		if verdicts[want] != is {
			t.Errorf("%q is %v, expected %v", want, verdicts[want], is)
		}
	}
	var out bytes.Buffer
	if err := rep.WriteConsole(&out); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "accused: wrong\n") || !strings.Contains(text, "4 variants: 1 pass, 3 accused; ") {
		t.Error(text)
	}
}
