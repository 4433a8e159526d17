package spec

import (
	"slices"
	"testing"
)

// TestTreeClassesOfAEP checks that a server without any of the optional capabilities can earn Core, and that asking
// the client is what Actions adds.
func TestTreeClassesOfAEP(t *testing.T) {
	book, _, err := Load(FS)
	if err != nil {
		t.Fatal(err)
	}
	classes := book.Classes("aep")
	if len(classes) != 4 || classes[0].Name != "Core" || classes[1].Name != "Actions" || classes[2].Name != "Durable" || classes[3].Name != "Replicated" {
		t.Fatalf("classes %+v, want Core, Actions, Durable and Replicated", classes)
	}
	core, actions := classes[0], classes[1]
	for _, id := range core.Requirements {
		if r, _ := book.Get(id); len(r.Capabilities) > 0 {
			t.Errorf("Core asks for %s, which needs %s", id, r.Capabilities)
		}
		if !slices.Contains(actions.Requirements, id) {
			t.Errorf("Actions lacks %s of Core", id)
		}
	}
	for _, want := range []struct {
		in []string
		id string
	}{
		{core.Requirements, "aep.flow.terminal"},
		{core.Conditional, "aep.cancel.aborted"},
		{core.Conditional, "aep.threads.foreign"},
		{actions.Requirements, "aep.actions.resolved"},
		{actions.Conditional, "aep.actions.foreign"},
	} {
		if !slices.Contains(want.in, want.id) {
			t.Errorf("%s is not in its place: %q", want.id, want.in)
		}
	}
}
