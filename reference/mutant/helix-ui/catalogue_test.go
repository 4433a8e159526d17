package helixui

import (
	"slices"
	"testing"

	helixui "github.com/streamcert/streamcert/reference/helix-ui"
	"github.com/streamcert/streamcert/reference/mutant/mutanttest"
)

// sits returns the extension points that a mutant uses.
var sits = mutanttest.ExtensionPoints(helixui.Options{ControlToken: "control"}.WithDefaults())

func TestCatalogue(t *testing.T) { mutanttest.Catalogue(t, "helix-ui", Catalogue(), sits) }

// TestCampaignOnly: the campaignOnly mutants and the others are one catalogue.
func TestCampaignOnly(t *testing.T) {
	mutanttest.Check(t, slices.Concat(Catalogue(), CampaignOnly()), sits, 0)
}
