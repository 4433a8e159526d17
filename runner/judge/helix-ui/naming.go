package helixui

import (
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
)

// A client that has shown persistent data under an id of its choice shows a second message if start has another id. A
// response that continues a message names the client's message, so that nothing is reported before a part shows that the
// message is new.
type naming struct {
	data    bool           // persistent data came before start
	pending judge.Position // start, which then named the message
	settled bool           // it was found, or never will be
}

// names takes start.
func (m *machine) names(at judge.Position, object map[string]any) {
	id, _ := object["messageId"].(string)
	if m.started || m.resumed {
		return
	}
	m.Saw(flowStartNames)
	if m.naming.data && id != "" {
		m.naming.pending = at
	}
}

// begins takes any other part: data before start, and after it the parts that show whether the message is new.
func (m *machine) begins(kind string, object map[string]any) {
	switch {
	case !m.started:
		m.naming.data = m.naming.data || strings.HasPrefix(kind, "data-") && object["transient"] != true
	case strings.HasPrefix(kind, "tool-output-") && !m.stepped:
		m.naming.settled = true // a call of the message before
	case m.naming.pending != (judge.Position{}) && !m.naming.settled && !free(kind):
		m.naming.settled = true
		m.Violation(flowStartNames, m.naming.pending, "start names a message that persistent data had begun: clients show two",
			"start before the data, or without messageId", "start behind data")
	}
}
