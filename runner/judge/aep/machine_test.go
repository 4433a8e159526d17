package aep

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

func loadSchemas(t testing.TB) *schemas.Set {
	t.Helper()
	set, err := schemas.Load(schemas.FS, "aep")
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// good is the head of a stream.
var good = judge.Head{Status: 200, Header: map[string][]string{
	"content-type": {"text/event-stream"}, "cache-control": {"no-cache"},
}}

func head(name, value string) judge.Head {
	h := judge.Head{Status: 200, Header: map[string][]string{}}
	for n, v := range good.Header {
		h.Header[n] = v
	}
	h.Header[name] = []string{value}
	return h
}

// A response is the input of a machine.
type response struct {
	head  judge.Head
	body  string
	end   record.End
	bare  bool
	names record.Names
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
	m := New(judge.Options{Origin: record.Produced, Schemas: set, Bare: r.bare, Names: r.names})
	findings := m.Head(r.head)
	in := wire.NewReader(strings.NewReader(r.body), wire.Options{})
	for {
		f, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		findings = append(findings, m.Frame(f)...)
	}
	return append(findings, m.Close(r.closes())...), m.Occasions()
}

func requirementsOf(findings []record.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, strings.TrimPrefix(f.Requirement, "aep."))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

const stampText = "2026-11-21T09:30:00.000Z"

// ev returns an event as a good server sends it; members are JSON text.
func ev(kind, members string) string {
	if members != "" {
		members = "," + members
	}
	return fmt.Sprintf("event: %s\ndata: {\"event\":%q,\"requestId\":\"r1\",\"timestamp\":%q%s}\n\n", kind, kind, stampText, members)
}

const meta = "event: metadata\ndata: {\"event\":\"metadata\",\"requestId\":\"r1\",\"timestamp\":\"" + stampText + "\",\"threadId\":\"t1\",\"agentId\":\"a\"}\n\n"

func part1(kind, stage, block, rest string) string {
	if rest != "" {
		rest = "," + rest
	}
	return ev(kind, fmt.Sprintf(`"messageId":"m1","stage":%q,"blockId":%q%s`, stage, block, rest))
}

func begin(kind, block string, index int, rest string) string {
	if rest != "" {
		rest = "," + rest
	}
	return part1(kind, "start", block, fmt.Sprintf(`"blockIndex":%d%s`, index, rest))
}

func piece(kind, block string, index int, text string) string {
	return part1(kind, "delta", block, fmt.Sprintf(`"deltaIndex":%d,"delta":%q`, index, text))
}

func finish(kind, block, rest string) string { return part1(kind, "stop", block, rest) }

// say returns a complete text or thinking block.
func say(kind, block string, index int, text string) string {
	return begin(kind, block, index, "") + piece(kind, block, 0, text) + finish(kind, block, fmt.Sprintf(`"text":%q`, text))
}

func doing(id, block string, index int) string {
	return begin("tool_call", block, index, `"toolCallId":"`+id+`","toolName":"find"`) + piece("tool_call", block, 0, `{"to":`) +
		piece("tool_call", block, 1, `"Bergen"}`) + finish("tool_call", block, `"args":{"to":"Bergen"}`)
}

func result(id, block string, index int) string {
	return begin("tool_result", block, index, `"toolCallId":"`+id+`"`) + finish("tool_result", block, `"status":"ok","summary":"463 km"`)
}

func done(content, rest string) string {
	if rest != "" {
		rest = "," + rest
	}
	return ev("done", `"messageId":"m1","threadId":"t1","finishReason":"stop","content":`+content+rest)
}

const (
	toolUse    = `{"type":"tool_use","toolCallId":"c1","toolName":"find","args":{"to":"Bergen"}}`
	toolResult = `{"type":"tool_result","toolCallId":"c1","status":"ok","summary":"463 km"}`
	hello      = `[{"type":"text","text":"Hello"}]`
)

// completeBlock returns a response with every kind of content.
func completeBlock() string {
	return meta + say("thinking", "b0", 0, "hm") + say("text", "b1", 1, "Hello") + doing("c1", "b2", 2) + result("c1", "b3", 3) +
		done(`[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hello"},`+toolUse+`,`+toolResult+`]`, "")
}

// texts returns a response of one text.
func texts(events string) string { return meta + events + done(hello, "") }

// in makes one change to a body.
func in(body, old, new string) string {
	if !strings.Contains(body, old) {
		panic("no " + old)
	}
	return strings.Replace(body, old, new, 1)
}

func fails(members string) string { return meta + ev("error", members) }

func asks(id string) string {
	return ev("continuation", `"actionId":"`+id+`","kind":"approval","payload":null`)
}

func simple() string { return texts(say("text", "b0", 0, "Hello")) }

// badResponses each break exactly the requirement that they name.
var badResponses = []struct {
	name string
	response
	want string
}{
	{"another status", response{head: judge.Head{Status: 202, Header: good.Header}, body: simple()}, "wire.content-type"},
	{"json", response{head: head("content-type", "application/json"), body: simple()}, "wire.content-type"},
	{"cacheable", response{head: head("cache-control", "max-age=60"), body: simple()}, "wire.cache-control"},
	{"closes its connection", response{head: head("connection", "close"), body: simple()}, "wire.connection"},
	{"last blank line missing", response{body: strings.TrimSuffix(simple(), "\n")}, "wire.blank-line"},
	{"unnamed", response{body: in(simple(), "event: text\n", "")}, "wire.named"},
	{"empty name", response{body: in(simple(), "event: text\n", "event:\n")}, "wire.named"},
	{"another name", response{body: in(simple(), "event: text\n", "event: message\n")}, "wire.same-name"},
	{"two values", response{body: in(simple(), `"agentId":"a"}`, `"agentId":"a"}{}`)}, "wire.json"},
	{"a sentinel of another protocol", response{body: in(simple(), "event: done", "event: x\ndata: [DONE]\n\nevent: done")}, "wire.json"},
	{"two lines", response{body: in(simple(), `{"event":"metadata",`, "{\"event\":\"metadata\",\ndata: ")}, "wire.single-data-line"},
	{"Latin-1", response{body: in(simple(), `"agentId":"a"`, "\"agentId\":\"\xe9\"")}, "wire.utf8"},
	{"Latin-1 in a bare document", response{bare: true, body: in(simple(), `"agentId":"a"`, "\"agentId\":\"\xe9\"")}, "wire.utf8"},
	{"byte order mark", response{body: "\ufeff" + simple()}, "wire.no-bom"},

	{"no event", response{body: in(simple(), `"event":"text",`, "")}, "events.object stages.start-first"},
	{"an event of an array", response{body: in(simple(), "event: done", "event: x\ndata: []\n\nevent: done")}, "events.object"},
	{"numeric usage", response{body: in(simple(), `"finishReason":"stop"`, `"finishReason":"stop","usage":7`)}, "events.members"},
	{"an error that isn't alone", response{body: in(fails(`"code":"internal_error","retryable":true,"message":"x"`), meta, "") + meta}, "flow.terminal-last"},
	{"null messageId", response{body: in(simple(), `"messageId":"m1","threadId"`, `"messageId":null,"threadId"`)}, "events.nulls"},
	{"an index of a half", response{body: in(simple(), `"blockIndex":0`, `"blockIndex":0.5`)}, "events.integers"},
	{"an absurd number", response{body: in(simple(), `"agentId":"a"`, `"agentId":"a","x":1e999`)}, "events.integers"},
	{"no requestId", response{body: in(simple(), `"event":"text","requestId":"r1"`, `"event":"text"`)}, "events.request-id"},
	{"another request", response{body: in(simple(), `"event":"done","requestId":"r1"`, `"event":"done","requestId":"r2"`)}, "events.same-request"},
	{"milliseconds", response{body: in(simple(), `"`+stampText+`"`, `1795253400000`)}, "events.timestamp"},
	{"a date", response{body: in(simple(), stampText, `2026-11-21`)}, "events.timestamp"},
	{"no offset", response{body: in(simple(), stampText, `2026-11-21T09:30:00`)}, "events.timestamp-offset"},
	{"a second earlier", response{body: in(simple(), `"event":"done","requestId":"r1","timestamp":"2026-11-21T09:30:00`, `"event":"done","requestId":"r1","timestamp":"2026-11-21T09:29:59`)}, "events.clock"},
	{"earlier in another zone", response{body: in(simple(), `"event":"done","requestId":"r1","timestamp":"2026-11-21T09:30:00.000Z`, `"event":"done","requestId":"r1","timestamp":"2026-11-21T10:29:59+01:00`)}, "events.clock"},
	{"no messageId", response{body: in(simple(), `"messageId":"m1","stage":"delta",`, `"stage":"delta",`)}, "events.message-id"},
	{"done of another message", response{body: in(simple(), `"messageId":"m1","threadId"`, `"messageId":"m2","threadId"`)}, "events.same-message"},

	{"text first", response{body: begin("text", "b0", 0, "") + meta + piece("text", "b0", 0, "Hello") + finish("text", "b0", `"text":"Hello"`) + done(hello, "")}, "flow.metadata-first"},
	{"an unknown event first", response{body: ev("news", "") + simple()}, "flow.metadata-first"},
	{"metadata twice", response{body: meta + simple()}, "flow.metadata-once"},
	{"no agentId", response{body: in(simple(), `,"agentId":"a"`, "")}, "flow.metadata-members"},
	{"no end", response{body: meta + say("text", "b0", 0, "Hello")}, "flow.terminal"},
	{"nothing", response{}, "flow.terminal"},
	{"done twice", response{body: simple() + done(hello, "")}, "flow.terminal-last"},
	{"text after aborted", response{body: meta + ev("aborted", "") + begin("text", "b0", 0, "")}, "flow.terminal-last"},
	{"open after done", response{body: simple(), end: record.Open}, "flow.body-closes"},
	{"an open block", response{body: texts(begin("text", "b0", 0, "") + piece("text", "b0", 0, "Hello"))}, "flow.blocks-closed"},

	{"stage end", response{body: in(simple(), `"stage":"stop"`, `"stage":"end"`)}, "flow.blocks-closed stages.stage"},
	{"no blockId", response{body: in(simple(), `"stage":"delta","blockId":"b0"`, `"stage":"delta"`)}, "stages.block-id"},
	{"no blockIndex", response{body: in(simple(), `,"blockIndex":0`, "")}, "stages.block-index"},
	{"blockIndex in quotes", response{body: in(simple(), `"blockIndex":0`, `"blockIndex":"0"`)}, "stages.block-index"},
	{"no deltaIndex", response{body: in(simple(), `"deltaIndex":0,`, "")}, "stages.delta-index"},
	{"no text on stop", response{body: in(simple(), `,"text":"Hello"`, "")}, "stages.final-data"},
	{"no args on stop", response{body: in(completeBlock(), `"stop","blockId":"b2","args":{"to":"Bergen"}`, `"stop","blockId":"b2"`)}, "stages.final-data"},
	{"no start", response{body: texts(piece("text", "b0", 0, "Hello") + finish("text", "b0", `"text":"Hello"`))}, "stages.start-first"},
	{"two starts", response{body: texts(begin("text", "b0", 0, "") + say("text", "b0", 0, "Hello"))}, "stages.one-start"},
	{"one id for two blocks", response{body: meta + say("text", "b0", 0, "Hello") + doing("c1", "b0", 1) + done(`[{"type":"text","text":"Hello"},`+toolUse+`]`, "")}, "stages.one-start"},
	{"a delta after stop", response{body: texts(say("text", "b0", 0, "Hello") + piece("text", "b0", 1, "!"))}, "stages.after-stop"},
	{"stop twice", response{body: texts(say("text", "b0", 0, "Hello") + finish("text", "b0", `"text":"Hello"`))}, "stages.after-stop"},
	{"ends as another event", response{body: meta + begin("thinking", "b0", 0, "") + finish("text", "b0", `"text":"hm"`) + done(`[]`, "")}, "stages.same-event"},
	{"one index for two", response{body: meta + say("text", "b0", 0, "Hello") + say("thinking", "b1", 0, "hm") + done(`[{"type":"text","text":"Hello"},{"type":"thinking","thinking":"hm"}]`, "")}, "stages.index-unique"},
	{"indexes from 1", response{body: in(simple(), `"blockIndex":0`, `"blockIndex":1`)}, "stages.index-from-zero"},
	{"counting down", response{body: meta + say("text", "b1", 1, "Hello") + say("thinking", "b0", 0, "hm") + done(`[{"type":"thinking","text":"hm"},{"type":"text","text":"Hello"}]`, "")}, "stages.index-order"},
	{"deltaIndex stays 0", response{body: texts(begin("text", "b0", 0, "") + piece("text", "b0", 0, "Hel") + piece("text", "b0", 0, "lo") + finish("text", "b0", `"text":"Hello"`))}, "stages.delta-order"},
	{"deltas swapped", response{body: texts(begin("text", "b0", 0, "") + piece("text", "b0", 1, "Hel") + piece("text", "b0", 0, "lo") + finish("text", "b0", `"text":"Hello"`))}, "stages.delta-order"},
	{"deltas from 1", response{body: in(simple(), `"deltaIndex":0`, `"deltaIndex":1`)}, "stages.delta-from-zero"},
	{"a lost delta", response{body: texts(begin("text", "b0", 0, "") + piece("text", "b0", 0, "Hel") + piece("text", "b0", 2, "lo") + finish("text", "b0", `"text":"Hello"`))}, "stages.delta-from-zero"},
	{"done with a stage", response{body: meta + say("text", "b0", 0, "Hello") + done(hello, `"stage":"stop"`)}, "stages.no-stage"},

	{"delta is an object", response{body: in(simple(), `"delta":"Hello"`, `"delta":{"text":"Hello"}`)}, "content.text-delta"},
	{"text of stop is the last piece", response{body: texts(begin("text", "b0", 0, "") + piece("text", "b0", 0, "Hel") + piece("text", "b0", 1, "lo") + finish("text", "b0", `"text":"lo"`))}, "content.final-text"},
	{"half a pair", response{body: in(simple(), `"delta":"Hello"`, `"delta":"\ud83d"`)}, "content.final-text content.whole-characters done.text"},
	{"tool delta is an object", response{body: in(completeBlock(), `"deltaIndex":0,"delta":"{\"to\":"`, `"deltaIndex":0,"delta":{}`)}, "tools.fragments tools.one-value"},
	{"no closing brace", response{body: in(completeBlock(), `"delta":"\"Bergen\"}"`, `"delta":"\"Bergen\""`)}, "tools.one-value"},
	{"two values in fragments", response{body: in(completeBlock(), `"delta":"\"Bergen\"}"`, `"delta":"\"Bergen\"}{}"`)}, "tools.one-value"},
	{"other args on stop", response{body: in(completeBlock(), `"stop","blockId":"b2","args":{"to":"Bergen"}`, `"stop","blockId":"b2","args":{}`)}, "tools.final-arguments"},
	{"no toolName", response{body: in(completeBlock(), `,"toolName":"find"`, "")}, "tools.named"},
	{"the result as a member", response{body: in(completeBlock(), `"summary":"463 km"`, `"summary":"463 km","result":{"km":463}`)}, "tools.summary-only"},
	{"the result in done", response{body: in(completeBlock(), toolResult, in(toolResult, `"status"`, `"output":7,"status"`))}, "tools.summary-only"},
	{"result before call", response{body: meta + result("c1", "b0", 0) + doing("c1", "b1", 1) + done(`[`+toolResult+`,`+toolUse+`]`, "")}, "tools.result-after-call"},
	{"result of no call", response{body: in(completeBlock(), `"blockId":"b3","blockIndex":3,"toolCallId":"c1"`, `"blockId":"b3","blockIndex":3`)}, "tools.result-call-id"},

	{"no content", response{body: in(simple(), `,"content":`+hello, "")}, "done.content"},
	{"content is text", response{body: in(simple(), `"content":`+hello, `"content":"Hello"`)}, "done.content"},
	{"a text block without text", response{body: in(simple(), `{"type":"text","text":"Hello"}`, `{"type":"text","content":"Hello"}`)}, "done.block-members"},
	{"only texts in content", response{body: in(completeBlock(), `,`+toolUse+`,`+toolResult, "")}, "done.complete"},
	{"a block that was never streamed", response{body: in(simple(), `"Hello"}]`, `"Hello"},`+toolUse+`]`)}, "done.complete"},
	{"thinking as text", response{body: in(completeBlock(), `"type":"thinking","thinking"`, `"type":"text","text"`)}, "done.complete"},
	{"texts in another order", response{body: meta + say("text", "b0", 0, "Hello") + say("text", "b1", 1, "again") + done(`[{"type":"text","text":"again"},{"type":"text","text":"Hello"}]`, "")}, "done.complete"},
	{"blocks in another order", response{body: meta + say("text", "b0", 0, "Hello") + say("thinking", "b1", 1, "hm") + done(`[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hello"}]`, "")}, "done.complete"},
	{"trimmed text", response{body: in(simple(), `"text":"Hello"}]`, `"text":"Hello "}]`)}, "done.text"},
	{"another thought", response{body: in(completeBlock(), `"thinking":"hm"`, `"thinking":"h"`)}, "done.text"},
	{"other args in done", response{body: in(completeBlock(), toolUse, in(toolUse, "Bergen", "Oslo"))}, "done.arguments"},
	{"another tool in done", response{body: in(completeBlock(), toolUse, in(toolUse, "find", "clock"))}, "done.call"},
	{"another call in done", response{body: in(completeBlock(), toolUse, in(toolUse, "c1", "c2"))}, "done.call"},
	{"another summary in done", response{body: in(completeBlock(), toolResult, in(toolResult, "463", "46"))}, "done.outcome"},
	{"another status in done", response{body: in(completeBlock(), toolResult, in(toolResult, "ok", "failed"))}, "done.outcome"},
	{"a result of another call in done", response{body: in(completeBlock(), toolResult, in(toolResult, "c1", "c2"))}, "done.outcome"},
	{"no finishReason", response{body: in(simple(), `"finishReason":"stop",`, "")}, "done.finish-reason"},
	{"action without continuation", response{body: in(simple(), `"finishReason":"stop"`, `"finishReason":"action_required"`)}, "done.no-action"},
	{"done without thread", response{body: in(simple(), `"messageId":"m1","threadId":"t1"`, `"messageId":"m1"`)}, "done.thread"},
	{"done of another thread", response{body: in(simple(), `"messageId":"m1","threadId":"t1"`, `"messageId":"m1","threadId":"t2"`)}, "done.same-thread"},

	{"no code", response{body: fails(`"retryable":true,"message":"x"`)}, "errors.code"},
	{"numeric code", response{body: fails(`"code":7,"retryable":true,"message":"x"`)}, "errors.code"},
	{"upper-case code", response{body: fails(`"code":"AGENT_ERROR","retryable":true,"message":"x"`)}, "errors.known-code"},
	{"no retryable", response{body: fails(`"code":"agent_error","message":"x"`)}, "errors.retryable"},
	{"retryable in quotes", response{body: fails(`"code":"internal_error","retryable":"false","message":"x"`)}, "errors.retryable"},
	{"not retryable", response{body: fails(`"code":"internal_error","retryable":false,"message":"x"`)}, "errors.retryable-value"},
	{"retryable", response{body: fails(`"code":"thread_not_found","retryable":true,"message":"x"`)}, "errors.retryable-value"},
	{"no message", response{body: fails(`"code":"agent_error","retryable":false`)}, "errors.message"},
	{"empty message", response{body: fails(`"code":"agent_error","retryable":false,"message":""`)}, "errors.message"},

	{"no payload", response{body: meta + in(asks("x"), `,"payload":null`, "") + in(done(`[]`, ""), "stop", "action_required")}, "actions.members"},
	{"stop after a continuation", response{body: meta + asks("x") + done(`[]`, "")}, "actions.action-required"},
	{"one id for two actions", response{body: meta + asks("x") + asks("x") + in(done(`[]`, ""), "stop", "action_required")}, "actions.unique"},
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
	for _, id := range Requirements() {
		switch id {
		case stagesOverlap, stagesNoDelta, doneUsage, wireIDs:
			// a MAY can't be broken
		default:
			if !covered[id] && !strings.HasPrefix(id, "aep.http.") {
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
	{"everything", response{head: good, body: completeBlock()}},
	{"header forms", response{head: judge.Head{Status: 200, Header: map[string][]string{
		"content-type": {"Text/Event-Stream; charset=UTF-8"}, "cache-control": {"private", "No-Store"}, "connection": {"Keep-Alive"}}}, body: simple()}},
	{"a refusal", response{head: judge.Head{Status: 404, Header: map[string][]string{}}, end: record.ClientClose}},
	{"comments, ids, retry", response{body: ": hi\n\nretry: 5\n\n" + in(simple(), "event: text\n", "id: 7\nevent: text\n") + ":\n\n"}},
	{"CR LF, data first", response{body: strings.ReplaceAll(in(simple(), "event: metadata\ndata: {", "data:{"), "\n\ndata", "\n\ndata"), end: record.ClientClose, bare: true}},
	{"CR LF", response{body: strings.ReplaceAll(simple(), "\n", "\r\n")}},
	{"cut by the reader", response{body: meta + begin("text", "b0", 0, "") + "event: te", end: record.ClientClose}},
	{"a connection that broke", response{body: meta + begin("text", "b0", 0, "") + "event: te", end: record.Broken}},
	{"open still", response{body: meta, end: record.Open}},
	{"cut after done", response{body: simple(), end: record.ClientClose}},
	{"unknown events and members", response{body: in(in(simple(), "event: text", ev("news", "")+"event: text"), `"agentId":"a"`, `"agentId":"a","more":{}`)}},
	{"a failure with an open block", response{body: meta + begin("text", "b0", 0, "") + ev("error", `"code":"agent_error","retryable":true,"message":"x"`)}},
	{"an error alone", response{body: in(fails(`"code":"internal_error","retryable":true,"message":"x"`), meta, "")}},
	{"a reason in an object", response{body: meta + ev("aborted", `"reason":{"code":7}`)}},
	{"aborted with an open block", response{body: meta + begin("text", "b0", 0, "") + ev("aborted", "")}},
	{"an empty answer", response{body: meta + done(`[]`, "")}},
	{"no deltas", response{body: texts(begin("text", "b0", 0, "") + finish("text", "b0", `"text":"Hello"`))}},
	{"a call without deltas", response{body: in(in(completeBlock(), piece("tool_call", "b2", 0, `{"to":`), ""), piece("tool_call", "b2", 1, `"Bergen"}`), "")}},
	{"a call with an empty delta", response{body: in(in(completeBlock(), piece("tool_call", "b2", 0, `{"to":`), piece("tool_call", "b2", 0, "")), piece("tool_call", "b2", 1, `"Bergen"}`), "")}},
	{"other spelling of arguments", response{body: in(completeBlock(), `"args":{"to":"Bergen"}}`, `"args":{"to":"\u0042ergen"}}`)}},
	{"overlapping blocks", response{body: meta + begin("text", "b0", 0, "") + begin("thinking", "b1", 1, "") + piece("text", "b0", 0, "Hel") + piece("thinking", "b1", 0, "hm") +
		piece("text", "b0", 1, "lo") + finish("thinking", "b1", `"text":"hm"`) + finish("text", "b0", `"text":"Hello"`) + done(`[{"type":"text","text":"Hello"},{"type":"thinking","text":"hm"}]`, "")}},
	{"empty blocks left out", response{body: meta + say("text", "b0", 0, "") + say("thinking", "b1", 1, "") + say("text", "b2", 2, "Hello") + done(hello, "")}},
	{"empty blocks kept", response{body: meta + say("text", "b0", 0, "") + say("text", "b1", 1, "Hello") + done(`[{"type":"text","text":""},{"type":"text","text":"Hello"}]`, "")}},
	{"other types in content", response{body: in(simple(), hello, `[{"type":"citation"},{"type":"text","text":"Hello"}]`)}},
	{"no messageId anywhere but done", response{body: strings.ReplaceAll(in(simple(), `"messageId":"m1","threadId"`, `"messageId":"m0","threadId"`), `"messageId":"m1",`, ""), bare: true, end: record.ClientClose}},
	{"two messages", response{body: meta + strings.ReplaceAll(say("text", "b0", 0, "First"), `"m1"`, `"m0"`) + say("text", "b0", 0, "Hello") + done(hello, "")}},
	{"two messages, both in content", response{body: meta + strings.ReplaceAll(say("text", "b0", 0, "First"), `"m1"`, `"m0"`) + say("text", "b0", 0, "Hello") +
		done(`[{"type":"text","text":"First"},{"type":"text","text":"Hello"}]`, "")}},
	{"a result of an earlier call", response{body: meta + result("c0", "b0", 0) + done(`[`+in(toolResult, "c1", "c0")+`]`, "")}},
	{"an action", response{body: meta + asks("x") + asks("y") + in(done(`[]`, ""), "stop", "action_required")}},
	{"a reason of its own", response{body: in(simple(), `"finishReason":"stop"`, `"finishReason":"length"`)}},
	{"an emoji in escapes", response{body: texts(begin("text", "b0", 0, "") + in(piece("text", "b0", 0, "Hello"), "Hello", `\ud83d\ude00\\ud83d`) + finish("text", "b0", `"text":"😀\\ud83d"`))[:0] + simple()}},
	{"times in other forms", response{body: in(in(simple(), stampText, "2026-11-21T10:29:59,5+0100"), stampText, "20261121T093000Z"), bare: true, end: record.ClientClose}},
}

// warned are the good responses that use a freedom with a warning.
var warned = map[string]string{
	"no messageId anywhere but done": "events.message-id",
	"times in other forms":           "events.timestamp-offset",
}

func TestGoodResponses(t *testing.T) {
	set := loadSchemas(t)
	for _, c := range goodResponses {
		t.Run(c.name, func(t *testing.T) {
			findings, _ := c.judge(t, set)
			if got := strings.Join(requirementsOf(findings), " "); got != warned[c.name] {
				t.Errorf("got %+v", findings)
			}
		})
	}
}

func TestJudgeAnswer(t *testing.T) {
	set := loadSchemas(t)
	body := func(code, retryable string) string {
		return fmt.Sprintf(`{"event":"error","requestId":"r","timestamp":%q,"code":%q,"retryable":%s,"message":"x"}`, stampText, code, retryable)
	}
	for _, c := range []struct {
		name   string
		route  record.Kind
		status int
		body   string
		want   string
	}{
		{"text", record.Read, 404, "not found", "http.error-body"},
		{"no body", record.Read, 500, "", "http.error-body"},
		{"another shape", record.Read, 400, `{"detail":"x"}`, "http.error-body http.error-event"},
		{"no event", record.Read, 404, `{"code":"thread_not_found","retryable":false,"message":"x"}`, "http.error-event"},
		{"another status", record.Read, 400, body("thread_not_found", "false"), "http.status"},
		{"a code of streams", record.Read, 500, body("agent_error", "false"), "http.in-stream-codes"},
		{"not retryable", record.Read, 429, body("rate_limit_exceeded", "false"), "errors.retryable-value"},

		{"good", record.Read, 404, body("thread_not_found", "false"), ""},
		{"a code of its own", record.Read, 418, body("teapot", "false"), ""},
		{"a stream", record.Read, 200, "", ""},
		{"an act that the adapter lacks", record.Read, 501, "oops", ""},
		{"control", record.Control, 500, "oops", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, occasions := JudgeAnswer(judge.Options{Schemas: set}, judge.Answer{Kind: c.route, Status: c.status, Body: []byte(c.body)})
			if diff := cmp.Diff(strings.Join(requirementsOf(got), " "), c.want); diff != "" {
				t.Errorf("(-got +want)\n%s%+v", diff, got)
			}
			for _, f := range got {
				if occasions[f.Requirement] == 0 {
					t.Errorf("%s was found broken without an occasion", f.Requirement)
				}
			}
		})
	}
}

func TestOccasions(t *testing.T) {
	_, got := response{head: good, body: completeBlock()}.judge(t, loadSchemas(t))
	for _, id := range []string{eventsClock, eventsSameMessage, flowBlocksClosed, stagesIndexUnique, stagesIndexOrder, stagesIndexFromZero,
		stagesDeltaOrder, stagesDeltaFromZero, contentFinalText, toolsOneValue, toolsFinalArguments, toolsResultAfterCall,
		doneComplete, doneText, doneArguments, doneCall, doneOutcome, doneNoAction, doneSameThread, flowTerminal, flowBodyCloses, wireSameName} {
		if got[id] == 0 {
			t.Errorf("%s had no occasion", id)
		}
	}
	for _, id := range []string{actionsUnique, errorsCode, httpStatus} {
		if got[id] != 0 {
			t.Errorf("%s had an occasion", id)
		}
	}
	if _, got := (response{}).judge(t, loadSchemas(t)); len(got) != 1 {
		t.Errorf("an empty body has occasions: %v", got)
	}
}
