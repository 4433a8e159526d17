package helix

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/schemas"
)

// JudgeAnswer judges an HTTP answer that isn't a stream: errors of the routes
// that readers use, StreamInfo and snapshots. It returns the findings and the occasions.
func JudgeAnswer(o judge.Options, a judge.Answer) ([]judge.Finding, map[string]int) {
	m := &machine{o: o}
	switch {
	case a.Route == judge.ControlRoute:
	case a.Status >= 400 && a.Status <= 599:
		m.errorBody(a)
	case a.Route == judge.InfoRoute && a.Status == 200:
		m.info(a.Body)
	case a.Route == judge.SnapshotRoute && a.Status == 200:
		m.count[snapshotDocument]++
		m.document("snapshot", a.Body)
	}
	return m.out, m.count.byID()
}

func (m *machine) errorBody(a judge.Answer) {
	m.count[httpErrorBody]++
	object := objectOf(a.Body)
	if _, ok := object["error"].(string); !ok {
		got := "no JSON object"
		if object != nil {
			got = show(object["error"])
		}
		m.add(httpErrorBody, place{}, "an HTTP error has no JSON body with a string error", "a string error", got)
	}
	if known := m.code(place{}, object["code"]); known != "" {
		m.codeStatus(known, a.Status)
	}
}

// objectOf decodes a body that is exactly one JSON object, nil if it isn't.
func objectOf(body []byte) map[string]any {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var object map[string]any
	if d.Decode(&object) != nil {
		return nil
	}
	if _, err := d.Token(); err != io.EOF {
		return nil
	}
	return object
}

func (m *machine) info(body []byte) {
	m.count[statusInfoMembers]++
	res := m.document("stream-info", body)
	if object, ok := res.Value.(map[string]any); ok {
		if _, ok := object["status"].(string); ok {
			m.count[statusInfoWord]++
		}
	}
}

// document checks a whole answer against a schema.
func (m *machine) document(schema string, body []byte) schemas.Result {
	res := m.o.Schemas.Document(schema, schemas.Strict, body)
	for _, s := range res.Findings {
		m.out = append(m.out, judge.Finding{
			Requirement: s.Requirement, Message: s.Message, Frame: -1, Offset: -1, Instance: s.Instance, Schema: s.Schema,
		})
	}
	return res
}
