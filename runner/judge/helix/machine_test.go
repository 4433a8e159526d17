package helix

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

var loadOnce = sync.OnceValues(func() (*schemas.Set, error) { return schemas.Load(schemas.FS, "helix") })

func loadSchemas(t testing.TB) *schemas.Set {
	t.Helper()
	set, err := loadOnce()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// good is the head of a stream.
var good = judge.Head{Status: 200, Header: map[string][]string{
	"content-type": {"text/event-stream"}, "cache-control": {"no-cache"},
}}

func after(cursor string) judge.Head {
	h := good
	h.Cursor, h.HasCursor = cursor, true
	return h
}

func removed(h judge.Head) judge.Head {
	h.Removed = true
	return h
}

// A response is the input of a machine.
type response struct {
	head   judge.Head
	body   string
	end    record.End
	origin record.Origin
}

// closes returns the end of the response: by default the server closes it.
func (r response) closes() record.End {
	if r.end == 0 {
		return record.ServerClose
	}
	return r.end
}

func (r response) judge(t testing.TB, set *schemas.Set) ([]record.Finding, map[string]int) {
	t.Helper()
	return r.judgeWith(t, judge.Options{Origin: r.origin, Schemas: set})
}

func (r response) judgeWith(t testing.TB, o judge.Options) ([]record.Finding, map[string]int) {
	t.Helper()
	m := New(o)
	findings := append(m.Head(r.head), framesOf(t, m, r.body)...)
	return append(findings, m.Close(r.closes())...), m.Occasions()
}

// framesOf shows a body to a machine.
func framesOf(t testing.TB, m judge.Machine, body string) []record.Finding {
	t.Helper()
	var findings []record.Finding
	in := wire.NewReader(strings.NewReader(body), wire.Options{})
	for {
		f, err := in.Next()
		if errors.Is(err, io.EOF) {
			return findings
		}
		if err != nil {
			t.Fatal(err)
		}
		findings = append(findings, m.Frame(f)...)
	}
}

func requirementsOf(findings []record.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, strings.TrimPrefix(f.Requirement, "helix."))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// text returns a chunk frame as a good server sends it; step < 0 leaves it out.
func text(seq, step int) string {
	member := ""
	if step >= 0 {
		member = fmt.Sprintf(`,"step":%d`, step)
	}
	return framed(seq, fmt.Sprintf(`{"type":"chunk","chunk":{"type":"text_delta","agentId":"run-1","agentType":"a","timestamp":1702329600000,"delta":"x"%s},"sequence":%d}`, member, seq))
}

func framed(id int, data string) string { return fmt.Sprintf("id: %d\ndata: %s\n\n", id, data) }

func dataEvent(data string) string { return "data: " + data + "\n\n" }

func ended(id int) string { return framed(id, `{"type":"end"}`) }

func chunk(seq int, chunk string) string {
	return framed(seq, fmt.Sprintf(`{"type":"chunk","chunk":%s,"sequence":%d}`, chunk, seq))
}

const common = `"agentId":"run-1","agentType":"a","timestamp":1702329600000`

func truncatedAt(step, sequence int) string {
	return dataEvent(fmt.Sprintf(`{"type":"truncated","truncatedAtStep":%d,"atSequence":%d}`, step, sequence))
}

func status(word string) string { return dataEvent(`{"type":"status","status":"` + word + `"}`) }

// badResponses each break exactly the requirements that they name.
var badResponses = []struct {
	name string
	response
	want string
}{
	{"status 206", response{head: judge.Head{Status: 206, Header: good.Header}}, "wire.content-type"},
	{"html", response{head: judge.Head{Status: 200, Header: map[string][]string{"content-type": {"text/html"}, "cache-control": {"no-store"}}}}, "wire.content-type"},
	{"no content type", response{head: judge.Head{Status: 200, Header: map[string][]string{"cache-control": {"no-store"}}}}, "wire.content-type"},
	{"cacheable", response{head: judge.Head{Status: 200, Header: map[string][]string{"content-type": {"text/event-stream"}, "cache-control": {"max-age=0"}}}}, "wire.cache-control"},
	{"no cache control", response{head: judge.Head{Status: 200, Header: map[string][]string{"content-type": {"text/event-stream"}}}}, "wire.cache-control"},

	{"garbage after the value", response{body: dataEvent(`{"type":"x"} x`)}, "wire.json"},
	{"two values", response{body: dataEvent(`{"type":"x"}{"type":"x"}`)}, "wire.json"},
	{"half a value", response{body: dataEvent(`{"type":`)}, "wire.json"},
	{"no value", response{body: "data:\n\n"}, "wire.json"},
	{"sentinel of another protocol", response{body: dataEvent("[DONE]")}, "wire.json"},
	{"no type", response{body: dataEvent(`{"a":1}`)}, "wire.frame-type"},
	{"numeric type", response{body: dataEvent(`{"type":1}`)}, "wire.frame-type"},
	{"array", response{body: dataEvent(`[]`)}, "wire.frame-type"},
	{"null", response{body: dataEvent(`null`)}, "wire.frame-type"},
	{"two data lines", response{body: "data: {\ndata: \"type\":\"x\"}\n\n"}, "wire.single-data-line"},
	{"bare chunk", response{body: framed(1, `{"type":"chunk","sequence":1,`+common+`}`)}, "wire.chunk-frame"},
	{"end with numeric stream id", response{body: framed(1, `{"type":"end","streamId":7}`)}, "wire.end-frame"},
	{"end with text timestamp", response{body: framed(1, `{"type":"end","timestamp":"7"}`)}, "wire.end-frame"},
	{"fail without error", response{body: framed(1, `{"type":"fail"}`)}, "wire.fail-frame"},
	{"fail with error object", response{body: framed(1, `{"type":"fail","error":{}}`)}, "wire.fail-frame"},
	{"status running", response{body: status("running")}, "wire.status-frame"},
	{"status missing", response{body: dataEvent(`{"type":"status"}`)}, "wire.status-frame"},
	{"truncated without step", response{body: dataEvent(`{"type":"truncated"}`)}, "wire.truncated-frame"},
	{"truncated with text step", response{body: dataEvent(`{"type":"truncated","truncatedAtStep":"1"}`)}, "wire.truncated-frame"},
	{"truncated below zero", response{body: truncatedAt(-1, 5)}, "wire.truncated-frame"},
	{"truncated with text sequence", response{body: dataEvent(`{"type":"truncated","truncatedAtStep":1,"atSequence":"5"}`)}, "wire.truncated-frame"},
	{"end with a chunk", response{body: framed(1, `{"type":"end","chunk":{}}`)}, "wire.exclusive"},
	{"fail with a chunk", response{body: framed(1, `{"type":"fail","error":"x","chunk":{}}`)}, "wire.exclusive"},
	{"status with a chunk", response{body: dataEvent(`{"type":"status","status":"paused","chunk":{}}`)}, "wire.exclusive"},
	{"truncated with a chunk", response{body: dataEvent(`{"type":"truncated","truncatedAtStep":1,"chunk":{}}`)}, "wire.exclusive"},
	{"chunk with an error", response{body: framed(1, `{"type":"chunk","chunk":{"type":"x",`+common+`},"sequence":1,"error":"x"}`)}, "wire.exclusive"},
	{"chunk with a status", response{body: framed(1, `{"type":"chunk","chunk":{"type":"x",`+common+`},"sequence":1,"status":"active"}`)}, "wire.exclusive"},
	{"last frame unterminated", response{body: text(1, 1) + "id: 2\ndata: {\"type\":\"end\"}\n"}, "wire.blank-line"},
	{"last line unterminated", response{body: text(1, 1) + "data: {\"ty"}, "wire.blank-line"},
	{"chunk without id", response{body: text(1, 1) + strings.TrimPrefix(text(2, 1), "id: 2\n")}, "wire.chunk-id"},
	{"id with prefix", response{body: strings.Replace(text(1, 1), "id: 1", "id: e-1", 1)}, "wire.id-digits"},
	{"id with leading zero", response{body: strings.Replace(text(1, 1), "id: 1", "id: 01", 1)}, "wire.id-digits"},
	{"id with NUL", response{body: strings.Replace(text(1, 1), "id: 1", "id: 1\x00", 1)}, "wire.id-digits"},
	{"empty id", response{body: strings.Replace(text(1, 1), "id: 1", "id:", 1)}, "wire.id-digits"},
	{"sequence off by one", response{body: strings.Replace(text(1, 1), `"sequence":1`, `"sequence":2`, 1)}, "wire.sequence"},
	{"a sequence of 0", response{body: text(0, 1)}, "ordering.at-least-one"},
	{"no sequence", response{body: strings.Replace(text(1, 1), `,"sequence":1`, ``, 1)}, "wire.sequence"},
	{"terminal without id", response{body: text(1, 1) + dataEvent(`{"type":"end"}`)}, "wire.terminal-id"},
	{"terminal with the last id", response{body: text(1, 1) + ended(1)}, "wire.terminal-id"},
	{"terminal with a lower id", response{body: text(5, 1) + framed(4, `{"type":"fail","error":"x"}`)}, "wire.terminal-id"},
	{"terminal far off", response{body: text(1, 1) + ended(9)}, "wire.terminal-id-next"},
	{"terminal after a truncated frame", response{body: text(1, 1) + truncatedAt(0, 5) + ended(2)}, "wire.terminal-id-next"},
	{"named", response{body: "event: end\n" + ended(1)}, "wire.unnamed"},
	{"Latin-1", response{body: dataEvent("{\"type\":\"x\",\"a\":\"\xe9\"}")}, "wire.utf8"},
	{"Latin-1 in a comment", response{body: ": \xe9\n\n"}, "wire.utf8"},
	{"byte order mark", response{body: "\ufeff" + text(1, 1)}, "wire.no-bom"},

	{"neighbours swapped", response{body: text(1, 1) + text(3, 1) + text(2, 1)}, "ordering.ascending"},
	{"repeat", response{body: text(1, 1) + text(1, 1)}, "ordering.ascending"},
	{"sorted as text", response{body: text(10, 1) + text(9, 1)}, "ordering.ascending"},
	{"two terminal frames", response{body: ended(1) + ended(2)}, "lifecycle.one-terminal"},
	{"chunk after the end", response{body: ended(1) + text(2, 1)}, "lifecycle.one-terminal"},
	{"status after the end", response{body: ended(1) + status("paused")}, "lifecycle.one-terminal"},
	{"open after the end", response{body: ended(1), end: record.Open}, "lifecycle.body-closes"},
	{"sentinel on a frame", response{body: framed(1, `{"type":"end","__streamEnd":true}`)}, "lifecycle.no-sentinel"},
	{"sentinel alone", response{body: dataEvent(`{"type":"x","__streamEnd":true}`)}, "lifecycle.no-sentinel"},
	{"sentinel in a chunk", response{origin: record.Produced, body: chunk(1, `{"type":"text_delta",`+common+`,"delta":"x","__streamEnd":true}`)}, "lifecycle.no-sentinel"},

	{"inclusive resume", response{head: after("2"), body: text(2, 1) + text(3, 1)}, "resume.after-cursor"},
	{"cursor ignored across 9 and 10", response{head: after("10"), body: text(9, 1)}, "resume.after-cursor"},

	{"atSequence too low", response{body: text(7, 1) + truncatedAt(0, 6)}, "truncation.covers-delivered"},
	{"truncated with an id", response{body: text(1, 1) + framed(2, `{"type":"truncated","truncatedAtStep":1,"atSequence":1}`)}, "truncation.not-numbered"},
	{"truncated with the first id", response{body: framed(1, `{"type":"truncated","truncatedAtStep":1}`)}, "truncation.not-numbered"},
	{"removed chunk in flight", response{body: text(1, 1) + truncatedAt(1, 4) + text(3, 2)}, "truncation.in-flight"},
	{"removed by the first of two", response{body: truncatedAt(1, 4) + truncatedAt(2, 8) + text(4, 2)}, "truncation.in-flight"},
	{"removed by the second of two", response{body: truncatedAt(1, 4) + truncatedAt(2, 8) + text(5, 3)}, "truncation.in-flight"},
	{"removed by a reset", response{body: truncatedAt(0, 4) + text(4, 1)}, "truncation.in-flight"},

	{"status with an id", response{body: text(1, 1) + framed(2, `{"type":"status","status":"paused"}`)}, "status.no-id"},
	{"status that resets the id", response{body: text(1, 1) + "id: 0\n" + status("paused")}, "status.no-id"},
	{"status twice", response{body: status("paused") + text(1, 1) + status("paused")}, "status.no-repeat"},
	{"status twice around a cleanup", response{body: text(1, 1) + status("paused") + truncatedAt(1, 4) + status("paused")}, "status.no-repeat"},

	{"unknown code", response{body: framed(1, `{"type":"fail","error":"x","code":"provider_sad"}`)}, "errors.known-code"},
	{"numeric code", response{body: framed(1, `{"type":"fail","error":"x","code":7}`)}, "errors.known-code"},
	{"code without category", response{body: framed(1, `{"type":"fail","error":"x","code":"sad"}`)}, "errors.code-prefix errors.known-code"},
	{"category without underscore", response{body: framed(1, `{"type":"fail","error":"x","code":"validation"}`)}, "errors.code-prefix errors.known-code"},

	{"chunk is text", response{origin: record.Produced, body: chunk(1, `"x"`)}, "chunks.object"},
	{"chunk without type", response{origin: record.Produced, body: chunk(1, `{`+common+`}`)}, "chunks.object"},
	{"chunk without agentId", response{origin: record.Produced, body: chunk(1, `{"type":"text_delta","agentType":"a","timestamp":1702329600000,"delta":"x"}`)}, "chunks.agent-id"},
	{"chunk with empty agentType", response{origin: record.Produced, body: chunk(1, `{"type":"text_delta","agentId":"r","agentType":"","timestamp":1702329600000,"delta":"x"}`)}, "chunks.agent-type"},
	{"chunk with text timestamp", response{origin: record.Produced, body: chunk(1, `{"type":"text_delta","agentId":"r","agentType":"a","timestamp":"1","delta":"x"}`)}, "chunks.timestamp"},
	{"chunk with step -1", response{origin: record.Produced, body: chunk(1, `{"type":"text_delta",`+common+`,"delta":"x","step":-1}`)}, "chunks.step"},
	{"error chunk without step", response{origin: record.Produced, body: chunk(1, `{"type":"error",`+common+`,"error":"x","recoverable":true}`)}, "chunks.step-required"},
	{"chunk with a huge step", response{origin: record.Produced, body: chunk(1, `{"type":"text_delta",`+common+`,"delta":"x","step":9007199254740992}`)}, "chunks.integers"},
	{"delta isn't text", response{origin: record.Produced, body: chunk(1, `{"type":"text_delta",`+common+`,"delta":1}`)}, "chunks.members"},
}

func TestBadResponses(t *testing.T) {
	set := loadSchemas(t)
	covered := map[string]bool{}
	for _, c := range badResponses {
		t.Run(c.name, func(t *testing.T) {
			findings, occasions := c.judge(t, set)
			if diff := cmp.Diff(strings.Fields(c.want), requirementsOf(findings)); diff != "" {
				t.Errorf("(-want +got)\n%s%+v", diff, findings)
			}
			for _, f := range findings {
				covered[f.Requirement] = true
				if f.Message == "" || !slices.Contains(Requirements(), f.Requirement) {
					t.Errorf("finding without message or of an unlisted requirement: %+v", f)
				}
				if occasions[f.Requirement] == 0 {
					t.Errorf("%s was found broken without an occasion", f.Requirement)
				}
			}
		})
	}
	for _, id := range between(wireJSON, textWholeCharacters) { // the others are broken by TestBreaches
		switch id {
		case wireHeartbeat, errorsCodeStatus, httpErrorBody, statusInfoMembers, statusInfoWord, snapshotDocument:
			// broken in tests of their own
		default:
			if !covered[id] {
				t.Errorf("no bad response breaks %s", id)
			}
		}
	}
}

// goodResponses use a freedom that the specification leaves.
var goodResponses = []struct {
	name string
	response
}{
	{"whole stream", response{head: good, body: text(1, 1) + text(2, -1) + ended(3)}},
	{"paused again after a reset", response{head: good, body: text(1, 1) + status("paused") + truncatedAt(0, 1) + status("paused")}},
	{"header forms", response{head: judge.Head{Status: 200, Header: map[string][]string{
		"content-type": {"Text/Event-Stream; charset=UTF-8"}, "cache-control": {"private", "Max-Age=0, No-Store"}}}}},
	{"finished and nothing left", response{head: judge.Head{Status: 204, Header: map[string][]string{}}}},
	{"unknown stream", response{head: judge.Head{Status: 404, Header: map[string][]string{"content-type": {"application/json"}}}}},
	{"capture without a head", response{body: text(1, 1)}},
	{"gaps, and another first sequence", response{body: text(1000, 1) + text(1005, 1) + ended(1006)}},
	{"comments, retry and blocks without data", response{body: ": hi\n\nretry: 5\n\nid: 7\n\n\n\n" + text(8, 1) + ":\n\n"}},
	{"an id of no data that is no number", response{body: "id: x\n\nid\n\n"}},
	{"named message", response{body: "event: message\n" + text(1, 1) + "event:\n" + text(2, 1)}},
	{"no space, CR LF", response{body: strings.ReplaceAll(strings.ReplaceAll(text(1, 1)+ended(2), ": ", ":"), "\n", "\r\n")}},
	{"mixed line ends", response{body: text(1, 1) + strings.ReplaceAll(text(2, 1), "\n", "\r")}},
	{"unknown frame type and members", response{body: dataEvent(`{"type":"news","chunk":7}`) + framed(1, `{"type":"end","more":{}}`)}},
	{"sequence in another notation", response{body: strings.Replace(text(10, 1), `"sequence":10`, `"sequence":1.0e1`, 1)}},
	{"dropped connection", response{body: text(1, 1) + "id: 2\nda", end: record.Broken}},
	{"cut by the reader", response{body: text(1, 1) + "id: 2\ndata: {}", end: record.ClientClose}},
	{"cut after the end", response{body: ended(1), end: record.ClientClose}},
	{"body ends without a terminal frame", response{body: text(1, 1)}},
	{"body ends in a comment", response{body: text(1, 1) + ": bye"}},
	{"close at a pause", response{body: text(1, 1) + status("paused")}},
	{"close after truncated", response{body: text(1, 1) + truncatedAt(0, 1)}},
	{"pause, go on, pause", response{body: status("paused") + status("active") + status("paused")}},
	{"status repeats the last id", response{body: text(1, 1) + "id: 1\n" + status("paused") + text(2, 1)}},
	{"status repeats the cursor", response{head: after("4"), body: "id: 4\n" + status("paused")}},
	{"truncated repeats the last id", response{body: text(1, 1) + "id: 1\n" + truncatedAt(0, 4)}},
	{"kept chunks in flight", response{body: text(1, 1) + truncatedAt(1, 6) + text(2, 1) + text(3, -1) + text(7, 2) + ended(8)}},
	{"terminal after removed chunks", response{body: text(1, 1) + truncatedAt(1, 6) + ended(7)}},
	{"terminal after a truncated frame without atSequence", response{body: text(1, 1) + dataEvent(`{"type":"truncated","truncatedAtStep":1}`) + ended(7)}},
	{"terminal after an unseen removal", response{head: removed(good), body: text(1, 1) + ended(7)}},
	{"terminal alone after a resume", response{head: after("4"), body: ended(9)}},
	{"resume at the start", response{head: after("0"), body: text(1, 1)}},
	{"cursor beyond the latest", response{head: after("100"), body: status("active")}},
	{"cursor that isn't a number", response{head: after("abc"), body: text(1, 1)}},
	{"padded cursor", response{head: after("010"), body: text(9, 1)}},
	{"fail with a known code", response{body: framed(1, `{"type":"fail","error":"x","code":"state_not_resumable"}`)}},
	{"end with its members", response{body: framed(1, `{"type":"end","streamId":"s","timestamp":1,"finalOutput":null}`)}},
	{"relayed chunk that is wrong inside", response{body: chunk(1, `{"type":"text_delta","step":-1,"delta":7,"__streamEnd":1}`)}},
	{"relayed chunk of an unknown type", response{body: chunk(1, `{"type":"new"}`)}},
	{"produced chunk of an unknown type", response{origin: record.Produced, body: chunk(1, `{"type":"new",`+common+`}`)}},
	{"produced chunk with unknown members", response{origin: record.Produced, body: chunk(1, `{"type":"text_delta",`+common+`,"delta":"x","new":null}`)}},
}

func TestGoodResponses(t *testing.T) {
	set := loadSchemas(t)
	for _, c := range goodResponses {
		t.Run(c.name, func(t *testing.T) {
			if findings, _ := c.judge(t, set); len(findings) > 0 {
				t.Errorf("got %+v", findings)
			}
		})
	}
}

func TestOccasions(t *testing.T) {
	set := loadSchemas(t)
	for _, c := range []struct {
		name string
		response
		want map[string]int
	}{
		{"nothing", response{}, map[string]int{}},
		{"an error", response{head: judge.Head{Status: 404, Header: map[string][]string{}}}, map[string]int{}},
		{"a comment", response{body: ":\n\n"}, map[string]int{"helix.wire.utf8": 1, "helix.wire.no-bom": 1}},
		{"a resumed tail", response{head: after("1"), body: text(2, 1) + text(3, 1) + ended(4)}, map[string]int{
			"helix.wire.content-type": 1, "helix.wire.cache-control": 1, "helix.wire.utf8": 3, "helix.wire.no-bom": 1,
			"helix.wire.blank-line": 3, "helix.wire.single-data-line": 3, "helix.wire.unnamed": 3, "helix.wire.id-digits": 3,
			"helix.wire.json": 3, "helix.wire.frame-type": 3, "helix.wire.exclusive": 3, "helix.lifecycle.no-sentinel": 3,
			"helix.wire.chunk-frame": 2, "helix.wire.chunk-id": 2, "helix.wire.sequence": 2, "helix.resume.after-cursor": 2, "helix.ordering.at-least-one": 2,
			"helix.ordering.ascending": 1, "helix.wire.end-frame": 1, "helix.wire.terminal-id": 1, "helix.wire.terminal-id-next": 1,
			"helix.lifecycle.one-terminal": 1, "helix.lifecycle.body-closes": 1,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got := c.judge(t, set)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestHeartbeat(t *testing.T) {
	for _, c := range []struct {
		silence         time.Duration
		found, occasion int
	}{{80, 0, 0}, {95, 0, 1}, {149, 0, 1}, {151, 1, 1}} {
		m := New(judge.Options{Schemas: loadSchemas(t), Heartbeat: 100 * time.Millisecond})
		got := m.Frame(&wire.Frame{Terminated: true, Comments: []string{""}, Silence: c.silence * time.Millisecond})
		if len(got) != c.found || m.Occasions()["helix.wire.heartbeat"] != c.occasion {
			t.Errorf("%d ms: got %v, %v", c.silence, got, m.Occasions())
		}
	}
	m := New(judge.Options{Schemas: loadSchemas(t)})
	if got := m.Frame(&wire.Frame{Terminated: true, Silence: time.Hour}); len(got) > 0 {
		t.Errorf("without an interval: got %v", got)
	}
}

func TestFindingHasPosition(t *testing.T) {
	r := response{body: text(1, 1) + text(1, 1)}
	got, _ := r.judge(t, loadSchemas(t))
	want := []record.Finding{{
		Requirement: "helix.ordering.ascending", Message: "the sequence doesn't increase",
		Want: "a sequence above 1", Got: "1", Frame: 1, Offset: int64(len(text(1, 1))), Line: 4,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
