package helix

import (
	"slices"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/mutant/helix/campaignonly"
	"github.com/streamcert/streamcert/reference/mutant/mutanttest"
)

// sits returns the extension points that a mutant uses.
var sits = mutanttest.ExtensionPoints(reference.Defaults(reference.Options{
	Validate:    func([]byte) error { return nil }, // the default takes its time to load
	ReaderToken: "reader", ControlToken: "control", // so that taking one away shows
}))

func TestCatalogue(t *testing.T) { mutanttest.Catalogue(t, "helix", Catalogue(), sits) }

func TestAThirdIsStateful(t *testing.T) { mutanttest.AThirdIsStateful(t, Catalogue(), 0) }

// TestCampaignOnly: the campaignOnly mutants and the others are one catalogue.
func TestCampaignOnly(t *testing.T) {
	mutanttest.Check(t, slices.Concat(Catalogue(), CampaignOnly()), sits, len(campaignonly.Holdout()))
}
