package helix

import (
	"testing"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

func reading(stream string, frames ...string) *record.Exchange {
	e := &record.Exchange{Request: record.Request{Kind: record.Read, Method: "GET", Stream: stream}, Response: record.Response{Status: 200}}
	for i, data := range frames {
		e.Frames = append(e.Frames, &wire.Frame{Index: i, ID: string(rune('1' + i)), HasID: true, Data: []byte(data)})
	}
	return e
}

// TestStable: readers of one stream receive one chunk under one number.
func TestStable(t *testing.T) {
	const one = `{"type":"chunk","sequence":1,"chunk":{"type":"text_delta","delta":"a","timestamp":1}}`
	deleted := &record.Exchange{Request: record.Request{Kind: record.Control, Method: "DELETE", Stream: "s"}}
	for name, c := range map[string]struct {
		exchanges []*record.Exchange
		found     bool
	}{
		"the same":                    {[]*record.Exchange{reading("s", one), reading("s", one)}, false},
		"in another order":            {[]*record.Exchange{reading("s", one), reading("s", `{"chunk":{"timestamp":1,"delta":"\u0061","type":"text_delta"},"sequence":1,"type":"chunk"}`)}, false},
		"with a member of its own":    {[]*record.Exchange{reading("s", `{"type":"chunk","sequence":1,"chunk":{"type":"text_delta","delta":"a","timestamp":1,"sentAt":5}}`), reading("s", one)}, false},
		"of two streams":              {[]*record.Exchange{reading("s", one), reading("t", `{"type":"chunk","sequence":1,"chunk":{"delta":"b"}}`)}, false},
		"before and after a deletion": {[]*record.Exchange{reading("s", one), deleted, reading("s", `{"type":"chunk","sequence":1,"chunk":{"delta":"b"}}`)}, false},
		"a terminal frame":            {[]*record.Exchange{reading("s", one), reading("s", `{"type":"end"}`)}, false},
		"another text":                {[]*record.Exchange{reading("s", one), reading("s", `{"type":"chunk","sequence":1,"chunk":{"type":"text_delta","delta":"b","timestamp":1}}`)}, true},
		"another time":                {[]*record.Exchange{reading("s", one), reading("s", `{"type":"chunk","sequence":1,"chunk":{"type":"text_delta","delta":"a","timestamp":2}}`)}, true},
		"less":                        {[]*record.Exchange{reading("s", one), reading("s", `{"type":"chunk","sequence":1,"chunk":{"type":"text_delta","timestamp":1}}`)}, true},
	} {
		found, of := sideBySide(c.exchanges)
		if len(found) > 0 != c.found || len(found) != len(of) {
			t.Errorf("%s: found %v of %v", name, found, of)
		}
	}
}
