package aep

import (
	"slices"
	"testing"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/campaignonly"
	"github.com/streamcert/streamcert/reference/mutant/mutanttest"
)

// sits returns the extension points that a mutant uses.
var sits = mutanttest.ExtensionPoints(aep.Options{
	ControlToken: "control", Principals: map[string]string{"token": "name"}, Rates: map[string]aep.Rate{"name": {}},
}.WithDefaults())

func TestCatalogue(t *testing.T) { mutanttest.Catalogue(t, "aep", Catalogue(), sits) }

func TestAThirdIsStateful(t *testing.T) { mutanttest.AThirdIsStateful(t, Catalogue(), 0) }

// TestCampaignOnly: the campaignOnly mutants and the others are one catalogue.
func TestCampaignOnly(t *testing.T) {
	mutanttest.Check(t, slices.Concat(Catalogue(), CampaignOnly()), sits, len(campaignonly.Holdout()))
}
