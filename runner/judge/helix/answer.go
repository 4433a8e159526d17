package helix

import (
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
)

// JudgeAnswer judges an HTTP answer that isn't a stream: errors of the routes
// that readers use, StreamInfo and snapshots. It returns the findings and the occasions.
func JudgeAnswer(o judge.Options, a judge.Answer) ([]record.Finding, map[string]int) {
	m := newMachine(o)
	switch {
	case a.Kind == record.Control:
	case a.Status >= 400 && a.Status <= 599:
		m.errorBody(a)
	case a.Kind == record.Document && a.Status == 200:
		m.info(a.Body)
	case a.Kind == record.Snapshot && a.Status == 200:
		m.Saw(snapshotDocument)
		m.Document("snapshot", a.Body)
	}
	return m.Found(), m.Occasions()
}

// errorBody judges the body of an HTTP error, and its status by the code that it names.
func (m *machine) errorBody(a judge.Answer) {
	m.Saw(httpErrorBody)
	object := judge.Object(a.Body)
	if _, ok := object["error"].(string); !ok {
		got := "no JSON object"
		if object != nil {
			got = judge.Show(object["error"])
		}
		m.Violation(httpErrorBody, judge.Position{}, "an HTTP error has no JSON body with a string error", "a string error", got)
	}
	if known := m.code(judge.Position{}, object["code"]); known != "" {
		m.codeStatus(known, a.Status)
	}
}

// info judges the description of a stream.
func (m *machine) info(body []byte) {
	m.Saw(statusInfoMembers)
	res := m.Document("stream-info", body)
	if object, ok := res.Value.(map[string]any); ok {
		if _, ok := object["status"].(string); ok {
			m.Saw(statusInfoWord)
		}
	}
}
