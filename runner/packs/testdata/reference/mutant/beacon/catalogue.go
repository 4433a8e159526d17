package beacon

import (
	"bytes"
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/mutant"
	"github.com/streamcert/streamcert/runner/packs/testdata/reference/beacon"
)

// Mutant is a reference server that breaks one requirement.
type Mutant = mutant.Mutant[beacon.Options]

// Catalogue returns all mutants, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := []Mutant{
		{Name: "never-lit", Requirement: "beacon.signals.lit", Summary: "The first signal is left out, as it says nothing.",
			Apply: planned(func(all []beacon.Signal) []beacon.Signal { return all[1:] })},
		{Name: "watch-per-signal", Requirement: "beacon.signals.watch", Summary: "The id is that of the event and not that of the stream.",
			Apply: edited(func(s beacon.Signal) { s.Data["watch"] = s.Name })},
		{Name: "numbers-from-zero", Requirement: "beacon.signals.numbered", Summary: "Flashes are numbered as the list that they are in.",
			Apply: edited(func(s beacon.Signal) {
				if n, ok := s.Data["n"].(int); ok {
					s.Data["n"] = n - 1
				}
			})},
		{Name: "loses-last-flash", Requirement: "beacon.signals.complete", Summary: "The lamp goes out before the last text.",
			Apply: planned(func(all []beacon.Signal) []beacon.Signal {
				if len(all) < 4 {
					return all
				}
				return slices.Delete(all, len(all)-2, len(all)-1)
			})},
		{Name: "never-dark", Requirement: "beacon.signals.dark", Summary: "Nobody turns the lamp off.",
			Apply: planned(func(all []beacon.Signal) []beacon.Signal { return all[:len(all)-1] })},
		{Name: "plain-text", Requirement: "beacon.wire.content-type", Summary: "The framework's default media type is left as it is.",
			Wrap: alter.OnResponses(alter.Any, func(w *alter.Response, _ *http.Request) {
				w.StreamOnly = true
				w.Head = func(status int) int {
					w.Header().Set("Content-Type", "text/plain")
					return status
				}
			})},
		{Name: "raw-line-ends", Requirement: "beacon.wire.object", Summary: "Texts are put into the data without escapes.",
			Apply: func(o beacon.Options) beacon.Options {
				inner := o.Encode
				o.Encode = func(s beacon.Signal) []byte { return bytes.ReplaceAll(inner(s), []byte(`\"`), []byte(`"`)) }
				return o
			}},
	}
	slices.SortFunc(all, mutant.Compare)
	return all
}

// Handler makes a server that is like the one that base describes but for the mutant's bug.
func Handler(m Mutant, base beacon.Options) *alter.Server {
	return alter.NewServer(beacon.New(m.Applied(base.WithDefaults())), m.Wrap)
}

// planned changes what a watcher is sent.
func planned(change func([]beacon.Signal) []beacon.Signal) func(beacon.Options) beacon.Options {
	return func(o beacon.Options) beacon.Options {
		inner := o.Plan
		o.Plan = func(all []beacon.Signal) []beacon.Signal { return change(inner(all)) }
		return o
	}
}

// edited changes each signal.
func edited(edit func(beacon.Signal)) func(beacon.Options) beacon.Options {
	return planned(func(all []beacon.Signal) []beacon.Signal {
		for _, s := range all {
			edit(s)
		}
		return all
	})
}
