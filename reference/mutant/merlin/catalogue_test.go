package merlin

import (
	"slices"
	"testing"

	"github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/reference/mutant/mutanttest"
)

// sits returns the extension points that a mutant uses.
var sits = mutanttest.ExtensionPoints(merlin.Options{ControlToken: "control"}.WithDefaults())

func TestCatalogue(t *testing.T) { mutanttest.Catalogue(t, "merlin", Catalogue(), sits) }

func TestAThirdIsStateful(t *testing.T) {
	all := Catalogue()
	mutanttest.AThirdIsStateful(t, all, len(all)/20)
}

// TestCampaignOnly: the campaignOnly mutants and the others are one catalogue.
func TestCampaignOnly(t *testing.T) {
	mutanttest.Check(t, slices.Concat(Catalogue(), CampaignOnly()), sits, 0)
}
