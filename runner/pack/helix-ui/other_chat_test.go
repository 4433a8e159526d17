package helixui_test

import (
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/crosscheck"
	helixui "github.com/streamcert/streamcert/runner/pack/helix-ui"
	"github.com/streamcert/streamcert/runner/record"
)

// TestContentOfAnotherChatIsNamed: a response with the name of another scenario's chat breaks the rule of isolation.
func TestContentOfAnotherChatIsNamed(t *testing.T) {
	all := crosscheck.New(helixui.Pack().Registry, "sc-a")
	one, two := all.Row(crosscheck.Scenario{Title: "One"}), all.Row(crosscheck.Scenario{Title: "Two"})
	one.AddRequest(&record.Exchange{Request: record.Request{Path: "/chat/sc-a-1"}})
	two.AddRequest(&record.Exchange{Request: record.Request{Path: "/chat/sc-a-2"}})
	for _, s := range two.Strays(&record.Exchange{Response: record.Response{Answer: []byte(`{"type":"start","messageMetadata":{"agent":"sc-a-1"}}`)}}) {
		all.Await(s)
	}
	leaks := all.Leaks()
	if len(leaks) != 1 || leaks[0].Requirement != "helix-ui.security.isolation" || !strings.Contains(leaks[0].Got, `sc-a-1 of "One"`) {
		t.Errorf("%+v", leaks)
	}
}
