package merlin

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// event writes the block of an event.
func event(name, data string) string { return "event: " + name + "\ndata: " + data + "\n\n" }

const (
	opening = "event: INIT_MESSAGE_CONTENT\ndata: {}\n\n"
	ending  = "event: end\ndata: {\"type\":\"DONE\"}\n\n"
	uuid1   = "7b1c2f2e-8c0d-4a55-9d0a-0f4f3c1f2a10"
	uuid2   = "7b1c2f2e-8c0d-4a55-9d0a-0f4f3c1f2a11"
)

// stepOf returns a step as JSON.
func stepOf(id, name, status, more string) string {
	return `{"id":"` + id + `","name":"` + name + `","status":"` + status + `","values":[],"icon":"DEFAULT"` + more + `}`
}

// shown returns a step in a message of version 2.
func shown(step string) string {
	return event("message", `{"content":"","index":0,"type":"progress","progress":{"steps":`+step+`}}`)
}

func text(more, members string) string {
	return event("message", `{"content":""`+more+`,"type":"text",`+members+`}`)
}

func toolResult(index, members string) string {
	return event("message", `{"content":"",`+index+`,"type":"toolCallResult","toolCallResult":{`+members+`}}`)
}

const completeSlice = `"index":0,"result":"ab","toolCallId":"c","function":{"name":"f"}`

// good are responses without a fault, by the name of their route.
var good = []struct{ route, body string }{
	{RouteV1, opening + event("message", `{"content":"Hello"}`) + event("attachments", `{"payload":[{"url":"u","title":"t"}]}`) + event("message", `{"content":"[citation: 1: 1]"}`) + ending},
	{RouteV1, opening + event("attachments", `{"payload":[{"url":"u","title":"t","cited_text":["a","b"]}]}`) + event("message", `{"content":"[citation: 1: 1]"}`) + event("message", `{"content":"[citation: 1: 2]"}`) + ending},
	{RouteV1, opening + event("progress", `{"payload":{},"metadata":{"type":"HEADING"}}`) + event("progress", `{"payload":`+stepOf(uuid1, "a", "IN_PROGRESS", "")+`}`) + event("progress", `{"payload":`+stepOf(uuid1, "a", "DONE", "")+`}`) + ending},
	{RouteV1, opening + event("progress", `{"payload":{},"metadata":{"type":"HEADING","at":1}}`) + event("progress", `{"payload":`+stepOf(uuid1, "a", "DONE", "")+`,"metadata":{"type":"STEP"}}`) + ending},
	{RouteV1, opening + event("progress", `{"payload":{"name":"T"},"metadata":{"type":"HEADING"}}`) + event("progress", `{"payload":`+stepOf(uuid1, "a", "DONE", "")+`,"metadata":null}`) + ending},
	{RouteV2, text(`,"index":0`, `"text":"a"`) + text(`,"index":1`, `"text":"b"`) + event("message", `{"content":"","index":1,"type":"reasoning","reasoning":"hm"}`) + event("end", `{}`)},
	{RouteV2, shown(stepOf(uuid1, "a", "IN_PROGRESS", `,"index":0`)) + shown(stepOf(uuid2, "b", "DONE", `,"index":1`)) + shown(stepOf(uuid1, "a", "DONE", `,"index":0`)) + ending},
	{RouteV2, toolResult(`"index":2`, `"index":0,"delta":"a"`) + toolResult(`"index":2`, `"index":0,"delta":"b"`) + toolResult(`"contentIndex":2`, completeSlice) + ending},
	{RouteV2, event("message", `{"content":"","contentIndex":0,"index":0,"type":"toolCalls","toolCalls":[]}`) + event("message", `{"content":"","index":0,"type":"later"}`) + ending},
	{"", opening + event("message", `{"content":"Hi"}`) + ending},
	{"", text(`,"index":0`, `"text":"a long text of version 2"`) + ending},
	{"", ending},
}

// bad are responses with a fault, and the requirement that it breaks.
var bad = []struct{ requirement, route, body string }{
	{wireNames, RouteV2, event("error", `{}`) + ending},
	{wireJSON, RouteV2, "data: [DONE\n\n" + ending},
	{wireObject, RouteV2, event("message", `["a"]`) + ending},
	{wireSingleDataLine, RouteV2, "event: end\ndata: {\ndata: }\n\n"},
	{wireBlankLine, RouteV2, ending + "data: {}\n"},
	{wireUTF8, RouteV2, text(`,"index":0`, "\"text\":\"\xe9\"") + ending},
	{wireNoBOM, RouteV2, "\ufeff" + ending},
	{wireUnwrapped, RouteV1, opening + event("message", `{"data":{"content":"a"}}`) + ending},
	{wirePayload, RouteV1, opening + event("attachments", `{}`) + ending},
	{wireEndLast, RouteV2, text(`,"index":0`, `"text":"a"`)},
	{wireNothingAfter, RouteV2, ending + ending},
	{wireEndData, RouteV2, event("end", `{"type":"STOP"}`)},
	{slicesInit, RouteV1, event("message", `{"content":"a"}`) + ending},
	{slicesContent, RouteV1, opening + event("message", `{"text":"a"}`) + ending},
	{slicesLength, RouteV1, opening + event("message", `{"content":"abcdef"}`) + ending},
	{slicesNoIndex, RouteV1, opening + event("message", `{"content":"a","index":1}`) + ending},
	{slicesWholeCharacters, RouteV1, opening + event("message", `{"content":"a\ud83d"}`) + event("message", `{"content":"\ude00"}`) + ending},
	{citationsAttachments, RouteV1, opening + event("message", `{"content":"[citation: 1: 1]"}`) + ending},
	{citationsAttachments, RouteV1, opening + event("attachments", `{"payload":[{"url":"u","title":"t","cited_text":["a"]}]}`) + event("message", `{"content":"[citation: 1: 1]"}`) + event("message", `{"content":"[citation: 1: 2]"}`) + ending},
	{citationsAttachments, RouteV1, opening + event("attachments", `{"payload":[{"url":"u","title":"t","cited_text":["a"]}]}`) + event("message", `{"content":"[citation: 1: 1]"}`) + event("message", `{"content":"so"}`) + event("message", `{"content":"[citation: 1: 1]"}`) + ending},
	{chunksType, RouteV2, event("message", `{"content":"","index":0,"text":"a"}`) + ending},
	{chunksIndex, RouteV2, text("", `"text":"a"`) + ending},
	{chunksIndex, RouteV2, event("message", `{"content":"","contentIndex":0,"index":1,"type":"toolCalls","toolCalls":[]}`) + ending},
	{chunksText, RouteV2, text(`,"index":0`, `"content":""`) + ending},
	{chunksContent, RouteV2, event("message", `{"index":0,"type":"text","text":"a"}`) + ending},
	{chunksReasoning, RouteV2, event("message", `{"content":"","index":0,"type":"reasoning","reasoning":{}}`) + ending},
	{chunksReasoningEmpty, RouteV2, event("message", `{"content":"","index":0,"type":"reasoning","reasoning":""}`) + ending},
	{chunksMembers, RouteV2, event("message", `{"content":"","index":0,"type":"citation"}`) + ending},
	{chunksNoInit, RouteV2, opening + ending},
	{indexAscending, RouteV2, text(`,"index":2`, `"text":"a"`) + text(`,"index":1`, `"text":"b"`) + ending},
	{subagentsPartial, RouteV2, toolResult(`"index":2`, `"delta":"a"`) + ending},
	{subagentsResult, RouteV2, toolResult(`"contentIndex":2`, `"index":0,"result":"a"`) + ending},
	{subagentsIndex, RouteV2, toolResult(`"index":2`, `"index":0,"delta":"a"`) + toolResult(`"index":3`, `"index":0,"delta":"b"`) + ending},
	{subagentsOnce, RouteV2, toolResult(`"contentIndex":2`, completeSlice) + toolResult(`"contentIndex":2`, completeSlice) + ending},
	{subagentsSame, RouteV2, toolResult(`"index":2`, `"index":0,"delta":"a"`) + toolResult(`"contentIndex":2`, completeSlice) + ending},
	{subagentsOrder, RouteV2, toolResult(`"index":2`, `"index":0,"delta":"ab"`) + toolResult(`"contentIndex":2`, completeSlice) + toolResult(`"index":2`, `"index":0,"delta":"c"`) + ending},
	{progressMembers, RouteV2, shown(`{"id":"`+uuid1+`","status":"DONE","values":[],"icon":"I"}`) + ending},
	{progressUUID, RouteV2, shown(stepOf("s1", "a", "DONE", "")) + ending},
	{progressStatus, RouteV2, shown(stepOf(uuid1, "a", "FAILED", "")) + shown(stepOf(uuid1, "a", "DONE", "")) + ending},
	{progressSameStep, RouteV2, shown(stepOf(uuid1, "a", "DONE", "")) + shown(stepOf(uuid1, "b", "DONE", "")) + ending},
	{progressHeading, RouteV1, opening + event("progress", `{"payload":{},"metadata":{"type":"TITLE"}}`) + ending},
	{progressHeading, RouteV1, opening + event("progress", `{"payload":`+stepOf(uuid1, "a", "DONE", "")+`,"metadata":{"type":"STEP"}}`) + ending},
	{progressHeading, RouteV1, opening + event("progress", `{"payload":`+stepOf(uuid1, "a", "DONE", "")+`}`) + ending},
	{progressV1Event, RouteV1, opening + event("message", `{"content":"","progress":{"steps":{}}}`) + ending},
	{progressV2Message, RouteV2, event("message", `{"content":"","index":0,"type":"progress"}`) + ending},
	{progressFinished, RouteV2, shown(stepOf(uuid1, "a", "IN_PROGRESS", "")) + ending},
	{progressNumbered, RouteV2, shown(stepOf(uuid1, "a", "DONE", `,"index":1`)) + ending},
	{chunksNoV1Events, "", text(`,"index":0`, `"text":"a"`) + event("progress", `{"payload":{},"metadata":{"type":"HEADING"}}`) + ending},
	{slicesLength, "", opening + event("message", `{"content":"abcdef"}`) + ending},
}

// elsewhere are the requirements that tests of their break.
var elsewhere = []string{
	wireContentType, wireCacheControl, wireConnection, wireCORSOrigin, wireCORSHeaders, wireBodyCloses, toolsShape, aggregateMembers, aggregateReasoning,
}

func heads(route string) judge.Head {
	return judge.Head{Status: 200, Route: route, Header: map[string][]string{
		"content-type": {"text/event-stream"}, "cache-control": {"no-cache"}, "access-control-allow-origin": {"*"}, "access-control-allow-headers": {"*"},
	}}
}

// judged returns the ids of the requirements that a machine finds violated in a response, and its counts of occasions.
func judged(t *testing.T, head judge.Head, body string, end record.End) (ids []string, occasions map[string]int) {
	t.Helper()
	set, err := schemas.Load(schemas.FS, "merlin")
	if err != nil {
		t.Fatal(err)
	}
	m := New(judge.Options{Origin: record.Produced, Schemas: set})
	found := m.Head(head)
	for r := wire.NewReader(strings.NewReader(body), wire.Options{}); ; {
		f, err := r.Next()
		if f != nil {
			found = append(found, m.Frame(f)...)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range append(found, m.Close(end)...) {
		ids = append(ids, f.Requirement)
	}
	return ids, m.Occasions()
}

func TestGoodResponses(t *testing.T) {
	for _, c := range good {
		if found, _ := judged(t, heads(c.route), c.body, record.ServerClose); len(found) > 0 {
			t.Errorf("%s: found %v in\n%s", c.route, found, c.body)
		}
	}
}

// TestBadResponses: each fault is found, and had its occasion; no rule of the judge is without one.
func TestBadResponses(t *testing.T) {
	broken := map[string]bool{}
	for _, c := range bad {
		found, occasions := judged(t, heads(c.route), c.body, record.ServerClose)
		if !slices.Contains(found, c.requirement) || occasions[c.requirement] == 0 {
			t.Errorf("%s: found %v, with %d occasions, in\n%s", c.requirement, found, occasions[c.requirement], c.body)
		}
		broken[c.requirement] = true
	}
	for _, id := range Requirements() {
		if !broken[id] && !slices.Contains(elsewhere, id) && id != toolsChunk { // a freedom, which nothing breaks
			t.Errorf("no bad response breaks %s", id)
		}
	}
}

func TestBadHeads(t *testing.T) {
	for id, change := range map[string]func(h *judge.Head){
		wireContentType:  func(h *judge.Head) { h.Header["content-type"] = []string{"text/plain"} },
		wireCacheControl: func(h *judge.Head) { delete(h.Header, "cache-control") },
		wireConnection:   func(h *judge.Head) { h.Header["connection"] = []string{"Close"} },
		wireCORSOrigin:   func(h *judge.Head) { h.Header["access-control-allow-origin"] = []string{"https://a.example"} },
		wireCORSHeaders:  func(h *judge.Head) { delete(h.Header, "access-control-allow-headers") },
	} {
		head := heads(RouteV2)
		change(&head)
		if found, _ := judged(t, head, ending, record.ServerClose); !slices.Equal(found, []string{id}) {
			t.Errorf("%s: found %v", id, found)
		}
	}
	if found, _ := judged(t, heads(RouteV2), ending, record.Open); !slices.Equal(found, []string{wireBodyCloses}) {
		t.Errorf("an open body: found %v", found)
	}
	if found, _ := judged(t, heads(RouteV2), opening, record.ClientClose); slices.Contains(found, wireEndLast) {
		t.Error("a body that the client closed needs no end")
	}
}

func TestBadAggregates(t *testing.T) {
	set, err := schemas.Load(schemas.FS, "merlin")
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		`{"content":[],"reasoningContent":[],"citations":[]}`:  "",
		`{"content":"a","reasoningContent":[],"citations":[]}`: aggregateMembers,
		`nothing`: aggregateMembers,
		`{"content":[],"reasoningContent":["hm"],"citations":[]}`:                    aggregateReasoning,
		`{"content":[],"reasoningContent":[],"citations":[],"toolCalls":[{"id":1}]}`: toolsShape,
	} {
		found, occasions := JudgeAnswer(judge.Options{Schemas: set}, judge.Answer{Kind: record.Document, Status: 200, Body: []byte(body)})
		if want == "" && len(found) > 0 || want != "" && (len(found) == 0 || found[0].Requirement != want || occasions[want] == 0) {
			t.Errorf("%s: found %v", body, found)
		}
	}
	if found, _ := JudgeAnswer(judge.Options{Schemas: set}, judge.Answer{Kind: record.Read, Status: 503}); found != nil {
		t.Errorf("a refusal: found %v", found)
	}
}
