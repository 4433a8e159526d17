package beacon

import (
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/variant"
	"github.com/streamcert/streamcert/runner/packs/testdata/reference/beacon"
)

// Variant is a reference server that uses one freedom.
type Variant = variant.Variant[beacon.Options]

// Catalogue returns all variants, sorted by name.
func Catalogue() []Variant {
	return []Variant{{
		Name: "red-flashes", Freedom: "beacon.signals.colour", Summary: "Every flash is red.",
		Apply: func(o beacon.Options) beacon.Options {
			inner := o.Plan
			o.Plan = func(all []beacon.Signal) []beacon.Signal {
				all = inner(all)
				for _, s := range all {
					if s.Name == "flash" {
						s.Data["colour"] = "red"
					}
				}
				return all
			}
			return o
		},
	}}
}

// Handler makes a server that is like the one that base describes but for the variant's freedom.
func Handler(v Variant, base beacon.Options) *alter.Server {
	return alter.NewServer(beacon.New(v.Applied(base.WithDefaults())), v.Wrap)
}
