package golden

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parseOne parses a transcript from the text of its exchanges.
func parseOne(t testing.TB, exchanges string) Transcript {
	t.Helper()
	f, err := Parse("x", []byte("# a.b.c\n"+exchanges))
	if err != nil {
		t.Fatal(err)
	}
	return f.Transcripts[0]
}

const head = "== read\n< 200\n"

const frameOne = "id: 1\ndata: {\"sequence\":1,\"type\":\"chunk\"}\n\n"

const three = head + `id: 1
data: {"chunk":{"delta":"a"},"sequence":1,"type":"chunk"}

id: 2
data: {"chunk":{"delta":"b"},"sequence":2,"type":"chunk"}

data: {"atSequence":2,"truncatedAtStep":0,"type":"truncated"}

id: 3
data: {"finalOutput":null,"streamId":"{stream}","timestamp":{ts1},"type":"end"}

== server closes
== info
< 200
<| {"latestSequence":2}
`

func TestCompareAccepts(t *testing.T) {
	for _, c := range []struct{ name, want, got string }{
		{"gaps, additions, spelling", three, head + `< allow: GET
event: message
data: {"chunk":{"delta":"a","extra":[]},"sequence":10,"type":"chunk"}
id: 10

data: {"status":"active","type":"status"}

data: {"type":"ping"}

id: 25

id:25\<CR>
data:{"chunk":{"delta":"b"},"other":1,"sequence":25,"type":"chunk"}\<CR>
data:\<CR>
\<CR>
: comment

id: 25
data: {"truncatedAtStep":0,"type":"truncated"}

id: 99
data: {"timestamp":{ts2},"type":"end"}

data: {"status":"paused","type":"status"}

== server closes
== info
< 200
<| {"deep":{},"latestSequence":25,"more":true}
`},
		{"another status", "== w\n< 200 | 204\n<| {}\n", "== w\n< 204\n== server closes\n"},
		{"an alternative", "== w\n< 200\ndata: 1\n\n== still open\n? refused\n< 400 | 410\n== server closes\n", "== w\n< 410\n<| no\n== server closes\n"},
		{"accepted is accepted", "== w\n> POST /control/x\n< 201\n<| {\"a\":1}\n", "== w\n> POST /elsewhere\n< 204\n"},
		{"wording of an error", "== w\n< 404\n<| {\"error\":\"unknown\"}\n", "== w\n< 404\n<| <h1>\n"},
		{"headers", "== w\n< 401\n< access-control-allow-origin: http://a\n< allow: GET\n< cache-control: no-cache\n< www-authenticate: Basic\n",
			"== w\n< 401\n< access-control-allow-origin: *\n< allow: HEAD, GET\n< cache-control: private, no-store\n< www-authenticate: Bearer\n"},
		{"who leaves first", "== w\n< 200\n== client closes\n", "== w\n< 200\n== still open\n"},
		{"reconnecting", three, strings.Replace(three, "data: {\"atSequence\"", "== server closes\n== the reader reconnects\n< 200\ndata: {\"atSequence\"", 1)},
		{"events named by their type", three, strings.Replace(three, "id: 2\n", "event: chunk\nid: 2\n", 1)},
		{"blank lines before an event", three, strings.Replace(three, "id: 2\n", "\\<>\n\\<>\nid: 2\n", 1)},
		{"a pause that nobody heard of", head + "data: {\"status\":\"paused\",\"type\":\"status\"}\n\ndata: {\"status\":\"active\",\"type\":\"status\"}\n\ndata: {\"type\":\"end\"}\n\n",
			head + "data: {\"status\":\"active\",\"type\":\"status\"}\n\ndata: {\"type\":\"end\"}\n\n"},
		{"closing at a pause", head + "data: {\"status\":\"paused\",\"type\":\"status\"}\n\n== client closes\n", head + "data: {\"status\":\"paused\",\"type\":\"status\"}\n\n== server closes\n"},
		{"closing after a truncation", head + "data: {\"truncatedAtStep\":1,\"type\":\"truncated\"}\n\n== still open\n", head + "data: {\"truncatedAtStep\":1,\"type\":\"truncated\"}\n\n== server closes\n"},
		{"numbers of two streams", "== a\n> GET /streams/{stream}/events\n< 200\n" + frameOne + "== b\n> GET /streams/{streamB}/events\n< 200\n" + frameOne,
			"== a\n> GET /streams/{stream}/events\n< 200\n" + strings.ReplaceAll(frameOne, "1", "8") + "== b\n> GET /streams/{streamB}/events\n< 200\n" + strings.ReplaceAll(frameOne, "1", "5")},
		{"media type of an error", "== w\n< 404\n< content-type: application/json\n<| {}\n", "== w\n< 404\n< content-type: text/plain\n<| no\n"},
		{"an origin that is named", "== w\n< 200\n< access-control-allow-origin: *\n", "== w\n< 200\n< access-control-allow-origin: http://a\n"},
		{"ids of their own", "== w\n< 200\n<| {\"requestId\":\"{requestId}\"}\n== v\n< 200\n<| {\"requestId\":\"{requestId2}\"}\n",
			"== w\n< 200\n<| {\"requestId\":\"{requestId2}\"}\n== v\n< 200\n<| {\"requestId\":\"{requestId}\"}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if found := tested.Compare(parseOne(t, c.want), parseOne(t, c.got)); len(found) > 0 {
				t.Errorf("differences: %v", found)
			}
		})
	}
}

func TestCompareFinds(t *testing.T) {
	change := func(old, new string) string {
		if !strings.Contains(three, old) {
			t.Fatalf("no %q to change", old)
		}
		return strings.Replace(three, old, new, 1)
	}
	const second = "id: 2\ndata: {\"chunk\":{\"delta\":\"b\"},\"sequence\":2,\"type\":\"chunk\"}\n\n"
	const in = "exchange 1 (read), "
	for _, c := range []struct {
		name, want, got string
		found           []string
	}{
		{"a frame is missing", three, change(second, ""), []string{in + `frame 2: want frame 2 {"chunk":{"delta":"b"},"sequence":2,"type":"chunk"}, got nothing`}},
		{"a frame comes twice", three, change(second, second+second), []string{in + `frame 3: want nothing, got frame 2 {"chunk":{"delta":"b"},"sequence":2,"type":"chunk"}`}},
		{"a frame comes twice under other numbers", three, change(second, second+strings.ReplaceAll(second, "2", "3")),
			[]string{in + `frame 3: want nothing, got frame 3 {"chunk":{"delta":"b"},"sequence":3,"type":"chunk"}`}},
		{"the last is missing", three, change("id: 3\ndata: {\"finalOutput\":null,\"streamId\":\"{stream}\",\"timestamp\":{ts1},\"type\":\"end\"}\n\n", ""),
			[]string{in + `frame 4: want frame 3 {"finalOutput":null,"streamId":"{stream}","timestamp":{ts1},"type":"end"}, got nothing`}},
		{"another value", three, change(`"b"`, `"c"`), []string{in + `frame 2, /chunk/delta: want "b", got "c"`}},
		{"descending", three, strings.ReplaceAll(change("id: 1", "id: 7"), `"sequence":1`, `"sequence":7`), []string{in + `frame 2, id: want "2", got "2"`, in + `frame 2, /sequence: want 2, got 2`,
			in + `frame 3, /atSequence: want 2, got 2`, in + `frame 4, id: want "3", got "3"`, `exchange 2 (info), answer/latestSequence: want 2, got 2`}},
		{"no id", three, change("id: 2\n", ""), []string{in + `frame 2, id: want "2", got nothing`}},
		{"a name", three, change("id: 2\n", "event: note\nid: 2\n"), []string{in + `frame 2, event: want "", got "note"`}},
		{"no blank line", three, change("\"end\"}\n\n", "\"end\"}\n\\<end>\n"), []string{in + `frame 4: want a blank line at its end, got nothing`}},
		{"a member of what a writer wrote", head + "data: {\"chunk\":{\"data\":{}},\"type\":\"chunk\"}\n\n", head + "data: {\"chunk\":{\"data\":{\"x\":1}},\"type\":\"chunk\"}\n\n",
			[]string{in + `frame 1, /chunk/data/x: want nothing, got 1`}},
		{"a member twice", head + "data: {\"type\":\"end\"}\n\n", head + "data: {\"type\":\"end\",\"type\":\"end\"}\n\n", []string{in + `frame 1, /type: want nothing, got "end"`}},
		{"status", "== w\n< 200\n", "== w\n< 404\n", []string{`exchange 1 (w), status: want 200, got 404`}},
		{"refused", "== w\n> PUT /control/x\n< 204\n", "== w\n< 404\n", []string{`exchange 1 (w), status: want 204, got 404`}},
		{"header", "== w\n< 200\n< cache-control: no-cache\n< content-type: a/b\n", "== w\n< 200\n< cache-control: private\n",
			[]string{`exchange 1 (w), header cache-control: want "no-cache", got "private"`, `exchange 1 (w), header content-type: want "a/b", got nothing`}},
		{"another status frame", head + "data: {\"status\":\"paused\",\"type\":\"status\"}\n\n", head + "data: {\"status\":\"ended\",\"type\":\"status\"}\n\n",
			[]string{in + `frame 1, /status: want "paused", got "ended"`}},
		{"a close without a reason", head + "data: {\"status\":\"active\",\"type\":\"status\"}\n\n== client closes\n", head + "data: {\"status\":\"active\",\"type\":\"status\"}\n\n== server closes\n",
			[]string{in + `end: want client closes, got server closes`}},
		{"end", "== w\n< 200\n== server closes\n", "== w\n< 200\n== connection reset\n", []string{`exchange 1 (w), end: want server closes, got connection reset`}},
		{"answer", "== w\n< 200\n<| {\"a\":[1,2]}\n", "== w\n< 200\n<| {\"a\":[1]}\n", []string{`exchange 1 (w), answer/a/1: want 2, got nothing`}},
		{"snapshot", "== w\n< 200\n<| {\"messages\":[{\"id\":\"msg-0\"}],\"state\":{},\"streamSequence\":0,\"timestamp\":{ts1}}\n",
			"== w\n< 200\n<| {\"messages\":[],\"state\":{\"a\":1},\"streamSequence\":0,\"timestamp\":\"{ts1}\"}\n", nil},
		{"state of a snapshot", "== w\n< 200\n<| {\"messages\":[],\"state\":{\"a\":1},\"streamSequence\":0,\"timestamp\":{ts1}}\n",
			"== w\n< 200\n<| {\"messages\":{},\"state\":{\"a\":2},\"streamSequence\":0,\"timestamp\":7}\n",
			[]string{`exchange 1 (w), answer/messages: want [], got {}`, `exchange 1 (w), answer/state/a: want 1, got 2`, `exchange 1 (w), answer/timestamp: want {ts1}, got 7`}},
		{"no JSON", "== w\n< 200\n<| {}\n", "== w\n< 200\n<| x\n", []string{`exchange 1 (w), answer: want {}, got "x"`}},
		{"exchanges", "== w\n< 200\n== v\n", "== v\n< 200\n", []string{`exchange 1: want "w", got "v"`, `exchange 2: want "v", got nothing`}},
		{"an exchange more", "== w\n< 200\n", "== w\n< 200\n== v\n", []string{`exchange 2: want nothing, got "v"`}},
		{"one id for two", "== w\n< 200\n<| {\"requestId\":\"{requestId}\"}\n== v\n< 200\n<| {\"requestId\":\"{requestId2}\"}\n",
			"== w\n< 200\n<| {\"requestId\":\"{requestId}\"}\n== v\n< 200\n<| {\"requestId\":\"{requestId}\"}\n", []string{`exchange 2 (v), answer/requestId: want "{requestId2}", got "{requestId}"`}},
		{"time that goes back", head + "data: {\"timestamp\":{ts1}}\n\n", head + "data: {\"timestamp\":{ts2<ts1}}\n\n", []string{in + `frame 1, /timestamp: want {ts1}, got {ts2<ts1}`}},
		{"no alternative holds", "== w\n< 200\n? refused\n< 400\n", "== w\n< 500\n", []string{`exchange 1 (w), status: want 200, got 500`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var found []string
			for _, d := range tested.Compare(parseOne(t, c.want), parseOne(t, c.got)) {
				found = append(found, d.String())
			}
			if diff := cmp.Diff(c.found, found); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEqual(t *testing.T) {
	want := parseOne(t, three)
	if diff := Equal(want, parseOne(t, three)); diff != "" {
		t.Errorf("a transcript differs from itself:\n%s", diff)
	}
	with := want
	with.Exchanges = append([]Exchange{}, want.Exchanges...)
	with.Exchanges[0].Also = []int{204}
	with.Exchanges[0].Alternatives = []Alternative{{Status: 400}}
	if diff := Equal(with, want); diff != "" {
		t.Errorf("alternatives make a difference:\n%s", diff)
	}
	got := parseOne(t, strings.Replace(three, `"delta":"b"`, `"delta":"c","x/y":1`, 1))
	text := `@@ == read
 data: {"chunk":{"delta":"a"},"sequence":1,"type":"chunk"}
 
 id: 2
-data: {"chunk":{"delta":"b"},"sequence":2,"type":"chunk"}
+data: {"chunk":{"delta":"c","x/y":1},"sequence":2,"type":"chunk"}
  ~ /chunk/delta: want "b", got "c"
  ~ /chunk/x~1y: want nothing, got 1
 
 data: {"atSequence":2,"truncatedAtStep":0,"type":"truncated"}
 
`
	if diff := cmp.Diff(text, Equal(want, got)); diff != "" {
		t.Errorf("diff (-want +got):\n%s", diff)
	}
}

func TestLargeDiffIsBounded(t *testing.T) {
	var a, b []string
	for range 3000 {
		a, b = append(a, "a"), append(b, "b")
	}
	diff := lineDiff(append(a, "same"), append(b, "same"))
	if got := strings.Count(diff, "\n"); got != 6001 {
		t.Errorf("the diff has %d lines, want 6001", got)
	}
}
