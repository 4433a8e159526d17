package judges

import (
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/judge/aep"
	"github.com/streamcert/streamcert/runner/judge/helix"
	helixui "github.com/streamcert/streamcert/runner/judge/helix-ui"
	"github.com/streamcert/streamcert/runner/judge/merlin"
)

// All returns the judge of every pack of this build, in the order of the packs: a new protocol adds its line here.
func All() []judge.Protocol {
	return []judge.Protocol{
		{Name: "helix", Machine: helix.New, Recogniser: helix.Recogniser},
		{Name: "aep", Machine: aep.New},
		{Name: "helix-ui", Machine: helixui.New, Begins: helixui.Begins},
		{Name: "merlin", Machine: merlin.New},
	}
}
