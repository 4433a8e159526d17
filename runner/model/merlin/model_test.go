package merlin_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// world is a script with a response, and the requirement that the response violates.
type world struct {
	version int
	start   string // members of the initial state
	steps   string
	came    []string // events, each a name and its data
	total   string   // the aggregate; "" isn't looked at
	broken  string   // "" for a good one
}

// playWorld plays a world.
func playWorld(t *testing.T, w world) (error, model.OccasionCounts) {
	t.Helper()
	var script model.Script
	if err := json.Unmarshal([]byte("{"+w.start+`"acts":[`+w.steps+"]}"), &script); err != nil {
		t.Fatalf("%s: %v", w.steps, err)
	}
	script.Version = w.version
	occasions := model.OccasionCounts{}
	s := model.NewStream(script, occasions)
	for _, one := range w.came {
		for s.Waits() != "" {
			s.Released()
		}
		name, data, _ := strings.Cut(one, " ")
		if name == "gone" {
			return s.Missing("nothing"), occasions
		}
		e := model.Event{Name: name, Data: []byte(data)}
		if err := json.Unmarshal(e.Data, &e.Members); err != nil {
			t.Fatalf("%s: %v", one, err)
		}
		if err := s.Receive(e); err != nil {
			return err, occasions
		}
	}
	if w.total == "" {
		return s.Advice(), occasions
	}
	if err := s.AddsUp([]byte(w.total)); err != nil {
		return err, occasions
	}
	return s.Advice(), occasions
}

const end = `end {}`

func message(text string) string { return `message {"content":` + text + `}` }

// chunk returns a message of version 2 at an index.
func chunk(kind, index, value string) string {
	return `message {"type":"` + kind + `","index":` + index + `,"` + kind + `":` + value + `}`
}

func piece(result, delta string) string {
	return chunk("toolCallResult", "0", `{"index":`+result+`,"delta":"`+delta+`"}`)
}

func completeTotal(text, call string) string {
	return `message {"type":"toolCallResult","contentIndex":0,"toolCallResult":{"index":0,"result":"` + text + `","toolCallId":"` + call + `","function":{"name":"ask"}}}`
}

// shown returns a step as it occurs in an event.
func shown(id, name, status, values, tags string) string {
	return `{"id":"` + id + `","name":"` + name + `","status":"` + status + `","icon":"DEFAULT","values":` + values + `,"tags":` + tags + `}`
}

func step2(step string) string { return chunk("progress", "0", `{"steps":`+step+`}`) }

const (
	ab      = `{"delta":{"content":"ab"}},{"delta":{"content":"c"}}`
	asks    = `{"subagent":{"index":0,"acts":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}},{"toolResult":{"index":0,"result":"ab","toolCallId":"r","name":"ask"}}`
	hidden  = `{"subagent":{"index":0,"suppress":true,"acts":[{"delta":{"content":"a"}}]}}`
	manager = `"manager":"V2",`
	creates = `{"progress":{"do":"create","step":"A"}}`
	sources = `"attachments":[{"type":"web","url":"u","title":"t"},{"type":"file","url":"f","title":"f"}],`
	cites   = `{"delta":{"content":"a","index":0}},{"delta":{"index":0,"citation":{"document_index":0,"cited_text":"x"}}},{"delta":{"content":"b","index":1}}`
	again   = `,{"delta":{"index":1,"citation":{"document_index":0,"cited_text":"x"}}},{"delta":{"content":"c","index":2}}`
	listed  = `attachments {"payload":[{"url":"u","title":"t","cited_text":["x"]}]}`
	calls   = `{"delta":{"tool_calls":[{"index":1,"type":"function","id":"b","function":{"name":"g","arguments":"1"}},{"index":0,"type":"function","id":"a","function":{"name":"f","arguments":""}}]}},` +
		`{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"2"}},{"index":7,"function":{"arguments":"3"}}]}}`
	callA = `{"type":"function","id":"a","function":{"name":"f","arguments":"2"}}`
	callB = `{"type":"function","id":"b","function":{"name":"g","arguments":"1"}}`
	nope  = `{"type":"function","id":"c","function":{"name":"h","arguments":""}}`
	lone  = `{"type":"function","id":"c","function":{"name":"h","arguments":"3"}}`
	think = `{"delta":{"reasoning":{"text":"ponder","index":0}}}`
)

func total(text, more string) string { return `{"content":["` + text + `"]` + more + `}` }

// shared1 are worlds of version 1 in which two citations are expected at once.
func shared1() []world {
	const (
		acts = `{"delta":{"index":0,"citation":{"document_index":0,"cited_text":"x"}}},{"delta":{"index":0,"citation":{"document_index":0,"cited_text":"y"}}},{"delta":{"content":"b","index":1}}`
		both = `attachments {"payload":[{"url":"u","title":"t","cited_text":["x","y"]}]}`
	)
	first, second := message(`"[citation: 1: 1]"`), message(`"[citation: 1: 2]"`)
	return []world{
		{1, sources, acts, []string{both, first, second, message(`"b"`), end}, total("[citation: 1: 1][citation: 1: 2]b", `,"citations":[{"document_index":0,"cited_text":"x"},{"document_index":0,"cited_text":"y"}]`), ""},
		{1, sources, acts, []string{both, first, both, second, message(`"b"`), end}, "", ""},
		{1, sources, acts, []string{listed, first, second}, "", "merlin.citations.moment"},
		{1, sources, acts, []string{both, first, message(`"b"`)}, "", "merlin.citations.mark"},
		{1, sources, acts, []string{strings.Replace(listed, `"x"`, `"y"`, 1), first, message(`"b"`), end}, "", "merlin.citations.each"},
	}
}

// advised are worlds with a deviation from a recommendation, whose other violations are found all the same.
func advised() []world {
	text := func(index, text string) string { return chunk("text", index, text) }
	const early = `{"delta":{"content":"a","index":0}},{"delta":{"index":0,"citation":{"document_index":0,"cited_text":"x"}}},` +
		`{"delta":{"index":1,"citation":{"document_index":0,"cited_text":"y"}}},{"delta":{"content":"b","index":0}},{"delta":{"content":"c","index":2}}`
	second := `attachments {"payload":[{"url":"u","title":"t","cited_text":["x","y"]}]}`
	handed := ab + `,{"handoff":"w"},{"delta":{"content":"d"}}`
	results := asks + `,{"delta":{"content":"d"}}`
	said := []string{piece("0", "a"), piece("0", "b"), completeTotal("ab", "r")}
	return []world{
		{1, sources, early, []string{message(`"a"`), listed, message(`"[citation: 1: 1]b"`), second, message(`"[citation: 1: 2]c"`), end}, "", ""},
		{1, sources, early, []string{message(`"ab"`), strings.Replace(listed, `"x"`, `"y"`, 1), message(`"[citation: 1: 1]c"`), end}, "", "merlin.citations.each"},
		{1, sources, early, []string{message(`"a"`), listed, message(`"[citation: 1: 1]bc"`)}, "", "merlin.citations.moment"},
		{2, "", results, append(said, text("1", `"d"`), end), "", "merlin.index.block"},
		{2, "", results, append(said, text("1", `"e"`), end), "", "merlin.chunks.complete"},
		{2, "", handed, []string{text("0", `"ab"`), text("1", `"c"`), text("2", `"d"`), end}, "", "merlin.index.block"},
		{2, "", handed, []string{text("0", `"ab"`), text("1", `"c"`), text("0", `"d"`), end}, "", "merlin.index.shared"},
		{2, "", asks, []string{piece("0", "a"), strings.Replace(piece("0", "b"), `"index":0,"toolCallResult"`, `"index":1,"toolCallResult"`, 1)}, "", "merlin.subagents.index"},
		{2, manager, creates + `,{"progress":{"do":"latest","step":"A"}}`, []string{step2(shown("1", "A", "IN_PROGRESS", "[]", "[]")), `progress {"payload":` + shown("1", "A", "IN_PROGRESS", "[]", "[]") + `}`, end}, "", ""},
		{2, manager, creates, []string{`progress {"payload":` + shown("1", "A", "IN_PROGRESS", "[]", "[]") + `}`}, "", "merlin.progress.v2-message"},
	}
}

// turned1 are worlds of version 1 in which the second citation is expected first.
func turned1() []world {
	const (
		start = `"attachments":[{"type":"web","url":"u","title":"t"},{"type":"web","url":"v","title":"s"}],`
		acts  = `{"delta":{"index":1,"citation":{"document_index":0,"cited_text":"x"}}},{"delta":{"index":0,"citation":{"document_index":1,"cited_text":"y"}}},` +
			`{"delta":{"content":"a","index":1}},{"delta":{"content":"b","index":2}}`
		first  = `attachments {"payload":[{"url":"u","title":"t"},{"url":"v","title":"s","cited_text":["y"]}]}`
		second = `attachments {"payload":[{"url":"u","title":"t","cited_text":["x"]},{"url":"v","title":"s","cited_text":["y"]}]}`
		x, y   = `{"document_index":0,"cited_text":"x"}`, `{"document_index":1,"cited_text":"y"}`
		text   = "[citation: 2: 1]a[citation: 1: 1]b"
	)
	came := []string{first, message(`"[citation: 2: 1]"`), message(`"a"`), second, message(`"[citation: 1: 1]"`), message(`"b"`), end}
	return []world{
		{1, start, acts, came, total(text, `,"citations":[`+x+`,`+y+`]`), ""},
		{1, start, acts, came, total(text, `,"citations":[`+y+`,`+x+`]`), ""},
		{1, start, acts, came, total(text, `,"citations":[`+y+`]`), "merlin.aggregate.citations"},
		{1, start, acts, []string{message(`"a"`)}, "", "merlin.citations.moment"},
	}
}

// astray1 are worlds of version 1 in which a document is cited that there isn't.
func astray1() []world {
	const (
		acts = `{"delta":{"content":"a","index":0}},{"delta":{"index":0,"citation":{"document_index":5,"cited_text":"x"}}},{"delta":{"content":"b","index":1}}`
		none = `attachments {"payload":[{"url":"u","title":"t"}]}`
	)
	of := func(broken string, came ...string) world {
		return world{1, sources, acts, append(came, end), "", broken}
	}
	marked := of("", message(`"a"`), none, message(`"[citation: 6: 1]"`), message(`"b"`))
	marked.total = total("a[citation: 6: 1]b", `,"citations":[]`)
	plain := of("", message(`"ab"`))
	plain.total = total("ab", `,"citations":[{"document_index":5,"cited_text":"x"}]`)
	return []world{
		marked, plain, of("", message(`"a"`), message(`"b"`)), of("", message(`"a"`), none, message(`"b"`)), of("", message(`"a"`), none, message(`"[cita"`), message(`"tion: 6: 1]"`), message(`"b"`)),
		of("merlin.slices.complete", message(`"a"`)), of("merlin.slices.complete", message(`"a"`), none, message(`"[citation: 6: 1]"`)),
		of("merlin.citations.attachments", message(`"a"`), `attachments {"payload":[{"url":"u","title":"t","cited_text":["x"]}]}`),
	}
}

// slices1 are worlds of version 1.
func slices1() []world {
	s := func(came ...string) []string { return came }
	heading := `progress {"payload":{},"metadata":{"type":"HEADING"}}`
	progress := func(step string) string { return `progress {"payload":` + step + `}` }
	return []world{
		{1, "", ab, s(message(`"abc"`), end), total("abc", ""), ""},
		{1, "", `{"delta":{"content":"x😀"}}`, s(message(`"x\ud83d"`), message(`"\ude00"`), end), total("x😀", ""), ""},
		{1, "", ab, s(message(`"ab"`), end), "", "merlin.slices.complete"},
		{1, "", ab, s(message(`"abcd"`), end), "", "merlin.slices.complete"},
		{1, "", ab + `,{"abort":true}`, s(message(`"ab"`), end), "", "merlin.failure.kept"},
		{1, "", think + "," + ab, s(message(`"pond"`)), "", "merlin.slices.no-reasoning"},
		{1, "", `{"split":1},{"delta":{"content":"ü"}}`, s(message(`"\ufffd"`)), "", "merlin.upstream.characters"},
		{1, "", `{"split":1},` + ab, s(end), "", "merlin.slices.complete"},
		{1, "", `{"bytes":": x\n\n"},` + ab, s(end), "", "merlin.upstream.noise"},
		{1, "", ab + `,{"await":"b"}`, s(message(`"ab"`), "gone"), "", "merlin.wire.live"},
		{1, "", ab, s(message(`"abc"`), "gone"), "", "merlin.wire.end-last"},
		{1, "", ab + `,{"abort":true}`, s(message(`"abc"`), "gone"), "", "merlin.failure.ends"},
		{1, "", ab + `,{"stop":true}`, s(message(`"abc"`), "gone"), "", "merlin.failure.stopped-end"},
		{1, "", ab + `,{"stop":true},` + ab, s(message(`"abc"`), message(`"ab"`)), "", "merlin.failure.stopped"},
		{1, "", ab + `,{"stop":true}`, s(message(`"abc"`), end), total("ab", ""), "merlin.failure.stopped-partial"},
		{1, "", ab + `,{"abort":true}`, s(message(`"abc"`), end), total("ab", ""), "merlin.failure.partial"},
		{1, "", ab, s(message(`"abc"`), end), total("ab", ""), "merlin.aggregate.text"},
		{1, sources, cites, s(message(`"a"`), listed, message(`"[citation: 1: 1]"`), message(`"b"`), end), total("a[citation: 1: 1]b", `,"citations":[{"document_index":0,"cited_text":"x"}]`), ""},
		{1, sources, cites, s(message(`"a"`), message(`"b"`), listed), "", "merlin.citations.moment"},
		{1, sources, cites, s(message(`"a"`), listed, message(`"[citation: 2: 1]"`)), "", "merlin.citations.mark"},
		{1, sources, cites, s(message(`"a"`), `attachments {"payload":[{"url":"u","title":"t","cited_text":["y"]}]}`), "", "merlin.citations.attachments"},
		{1, sources, cites, s(message(`"a"`), `attachments {"payload":[{"url":"u","title":"t"}]}`), "", "merlin.citations.attachments"},
		{1, sources, cites, s(message(`"a"`), `attachments {"payload":[{"url":"u","title":"t","cited_text":["x"]},{"url":"f","title":"f"}]}`), "", "merlin.citations.documents"},
		{1, sources, cites, s(message(`"a"`), `attachments {"payload":[{"url":"f","title":"f","cited_text":["x"]}]}`), "", "merlin.citations.documents"},
		{1, sources, cites, s(message(`"a"`), `attachments {"payload":[]}`), "", "merlin.citations.attachments"},
		{1, sources, cites + again, s(message(`"a"`), listed, message(`"[citation: 1: 1]b"`), `attachments {"payload":[{"url":"u","title":"t","cited_text":["x","x"]}]}`), "", "merlin.citations.cited-once"},
		{1, sources, cites + again, s(message(`"a"`), listed, message(`"[citation: 1: 1]b"`), listed, message(`"[citation: 1: 2]"`)), "", "merlin.citations.mark"},
		{1, sources, ab, s(listed), "", "merlin.citations.none"},
		{1, sources, cites, s(message(`"a"`), listed, message(`"[citation: 1: 1]b"`), end), total("ab", ""), "merlin.citations.aggregate"},
		{1, sources, cites, s(message(`"a"`), listed, message(`"[citation: 1: 1]b"`), end), total("a[citation: 1: 1]b", `,"citations":[]`), "merlin.aggregate.citations"},
		{1, "", creates, s(heading, progress(shown("1", "A", "IN_PROGRESS", "[]", "[]")), end), "", ""},
		{1, "", creates, s(heading, end), "", "merlin.progress.default-version"},
		{1, `"manager":"V1",`, creates, s(heading, end), "", "merlin.progress.created"},
	}
}

// chunks2 are worlds of version 2.
func chunks2() []world {
	s := func(came ...string) []string { return came }
	text := func(index, said string) string { return chunk("text", index, said) }
	return []world{
		{2, "", ab, s(text("0", `"ab"`), text("0", `"c"`), end), total("abc", ""), ""},
		{2, "", ab, s(text("0", `"ab"`), end), "", "merlin.chunks.complete"},
		{2, "", ab, s(text("0", `"a"`)), "", "merlin.chunks.per-delta"},
		{2, "", `{"delta":{"content":""}}`, s(text("0", `""`)), "", "merlin.chunks.empty"},
		{2, `"suppress":true,`, ab, s(text("0", `"ab"`)), "", "merlin.chunks.suppressed"},
		{2, `"suppress":true,`, think, s(chunk("reasoning", "0", `"ponder"`), end), "", ""},
		{2, "", think, s(end), "", "merlin.chunks.thought"},
		{2, "", think, s(chunk("reasoning", "0", `"wonder"`)), "", "merlin.chunks.thought"},
		{2, `"globalIndex":3,"contentIndex":1,`, ab, s(text("1", `"ab"`)), "", "merlin.index.floor"},
		{2, `"globalIndex":3,"eventManagerIndex":5,`, ab, s(text("3", `"ab"`)), "", "merlin.index.initial"},
		{2, `"globalIndex":3,"contentIndex":4,`, ab, s(text("5", `"ab"`)), "", "merlin.index.unchanged"},
		{2, "", ab, s(text("0", `"ab"`), text("1", `"c"`)), "", "merlin.index.block"},
		{2, "", ab + `,{"handoff":"x"},` + ab, s(text("0", `"ab"`), text("0", `"c"`), text("0", `"ab"`)), "", "merlin.index.shared"},
		{2, "", asks, s(piece("0", "a"), piece("0", "b"), completeTotal("ab", "r"), end), "", ""},
		{2, "", asks, s(piece("0", "a"), completeTotal("ab", "r")), "", "merlin.subagents.partial"},
		{2, "", asks, s(piece("0", "b")), "", "merlin.subagents.partial"},
		{2, "", asks, s(piece("1", "a")), "", "merlin.subagents.index"},
		{2, "", asks, s(piece("0", "a"), piece("0", "b"), end), "", "merlin.subagents.result"},
		{2, "", asks, s(piece("0", "a"), piece("0", "b"), completeTotal("ab", "q")), "", "merlin.subagents.result"},
		{2, "", asks, s(piece("0", "a"), piece("0", "b"), completeTotal("a", "r")), "", "merlin.subagents.same"},
		{2, "", asks, s(piece("0", "a"), piece("0", "b"), strings.Replace(completeTotal("ab", "r"), `"contentIndex":0`, `"contentIndex":1`, 1)), "", "merlin.index.block"},
		{2, "", asks, s(piece("0", "a"), piece("0", "b"), completeTotal("ab", "r"), completeTotal("ab", "r")), "", "merlin.subagents.once"},
		{2, "", ab, s(text("0", `"ab"`), text("0", `"c"`), completeTotal("ab", "r")), "", "merlin.subagents.order"},
		{2, "", hidden, s(piece("0", "a")), "", "merlin.subagents.hidden"},
	}
}

// managed are worlds about steps.
func managed() []world {
	s := func(came ...string) []string { return came }
	made := step2(shown("1", "A", "IN_PROGRESS", "[]", "[]"))
	ends, latest := `,{"progress":{"do":"end","step":"A"}}`, `,{"progress":{"do":"latest","step":"A"}}`
	send, tag := `,{"progress":{"do":"send","step":"A","values":[1]}}`, `,{"progress":{"do":"tags","step":"A","tags":["x"]}}`
	value := `[{"type":"TEXT","value":"x","more":1}]`
	done := step2(shown("1", "A", "DONE", "[]", "[]"))
	return []world{
		{2, manager, creates + tag + ends + latest, s(made, step2(shown("1", "A", "IN_PROGRESS", value, `["x"]`)), step2(shown("1", "A", "DONE", value, `["x"]`)),
			step2(shown("1", "A", "IN_PROGRESS", value, `["x"]`)), step2(shown("1", "A", "DONE", value, `["x"]`)), end), "", ""},
		{2, manager, `{"progress":{"do":"rename","name":"T"}}`, s(chunk("progress", "0", `{"name":"T"}`), end), "", ""},
		{2, manager, creates, s(step2(shown("1", "A", "DONE", "[]", "[]"))), "", "merlin.progress.created"},
		{2, manager, creates, s(strings.Replace(made, "DEFAULT", "", 1)), "", "merlin.progress.icon"},
		{2, manager, creates, s(step2(shown("1", "B", "IN_PROGRESS", "[]", "[]"))), "", "merlin.progress.kept"},
		{2, manager, creates + ends, s(made, strings.Replace(done, "DEFAULT", "GLOBE", 1)), "", "merlin.progress.kept"},
		{2, manager, creates + `,{"progress":{"do":"latest","step":"A","icon":"GLOBE"}}`, s(made, strings.Replace(made, "DEFAULT", "GLOBE", 1), end), "", ""},
		{2, manager, creates + "," + creates, s(made, made, end), "", "merlin.progress.created"},
		{2, manager, creates + `,{"progress":{"do":"create","step":"B"}}`, s(made, strings.Replace(made, `"A"`, `"B"`, 1)), "", "merlin.progress.same-step"},
		{2, manager, creates + ends, s(made, made, made, done, done, end), "", ""},
		{2, manager, creates + send, s(made, made, end), "", "merlin.progress.values"},
		{2, manager, creates + tag, s(made, end), "", "merlin.progress.tags"},
		{2, manager, creates + tag, s(made, step2(shown("1", "A", "IN_PROGRESS", value, "[]"))), "", "merlin.progress.tags-kept"},
		{2, manager, creates + ends, s(made, made, end), "", "merlin.progress.done"},
		{2, manager, creates + ends + tag, s(made, done, step2(shown("1", "A", "IN_PROGRESS", value, `["x"]`))), "", "merlin.progress.reopened"},
		{2, manager, creates + ends + latest, s(made, done, step2(shown("2", "A", "IN_PROGRESS", "[]", "[]"))), "", "merlin.progress.latest"},
		{2, manager, `{"progress":{"do":"latest","step":"A"}}`, s(done), "", "merlin.progress.latest-new"},
		{2, manager + `"eventManagerIndex":2,`, creates, s(made), "", "merlin.progress.index"},
		{2, manager, creates, s(chunk("progress", "0", `{"name":"T"}`)), "", "merlin.progress.no-heading"},
		{2, manager, creates + ends, s(made, done, step2(shown("1", "B", "DONE", "[]", "[]"))), "", "merlin.progress.same-step"},
	}
}

// totals are worlds whose aggregate is looked at.
func totals() []world {
	of := func(acts, toolCalls string) world {
		return world{2, "", acts, []string{end}, total("", `,"toolCalls":[`+toolCalls+`]`), ""}
	}
	breaks := func(w world, id string) world {
		w.broken = id
		return w
	}
	bare := `{"delta":{"tool_calls":[{"index":0,"type":"function","id":"c","function":{"name":"h","arguments":""}}]}}`
	wrong := strings.Replace(callA, `"2"`, `"9"`, 1)
	counted := world{2, "", `{"usage":{"a":1,"b":2}},{"usage":{"b":3}}`, []string{end}, total("", `,"usage":{"a":1,"b":2}`), "merlin.aggregate.usage"}
	thought := world{1, "", think, []string{end}, total("", `,"reasoningContent":[]`), "merlin.aggregate.collected"}
	leaked := world{2, "", "", []string{end}, total("", `,"usage":{"even_tokens":3}`), "merlin.aggregate.usage"}
	const signed = `{"delta":{"reasoning":{"text":"ponder","index":5}}},{"delta":{"reasoning":{"text":"","index":5,"signature":"s"}}}`
	unsigned := world{1, "", signed, []string{end}, total("", `,"reasoningContent":[{"text":"ponder","index":5}]`), "merlin.aggregate.signature"}
	apart := world{1, "", signed, []string{end}, total("", `,"reasoningContent":[{"text":"ponder","index":5},{"text":"","index":5,"signature":"s"}]`), ""}
	priced := world{2, "", `{"usage":{"a":1}}`, []string{end}, total("", `,"usage":{"a":1,"cost":2}`), ""}
	return []world{
		of(calls, callA+","+callB), of(bare, ""), of(calls+`,{"abort":true}`, ""), counted, leaked, priced, thought, unsigned, apart,
		{1, "", think, []string{end}, total("", `,"reasoningContent":[{"text":"pon","index":0},{"text":"der","index":0}]`), ""},
		breaks(of(calls, callB), "merlin.tools.every"), breaks(of(calls, callA+","+wrong), "merlin.tools.assembled"),
		breaks(of(calls, callB+","+callA), "merlin.tools.order"), breaks(of(bare, nope), "merlin.tools.empty"),
		breaks(of(calls, callA+","+callB+","+lone), "merlin.tools.unknown"), breaks(of(calls+`,{"abort":true}`, callA+","+callB), "merlin.failure.no-calls"),
		breaks(of(`{"split":1},`+calls, callB), "merlin.tools.every"), breaks(of(calls, ""), "merlin.tools.assembled"),
	}
}

// TestWorlds: the model finds the violation of a bad world, and none in a good one.
func TestWorlds(t *testing.T) {
	for _, w := range slices.Concat(slices1(), shared1(), turned1(), astray1(), advised(), chunks2(), managed(), totals()) {
		err, _ := playWorld(t, w)
		var b *model.Violation
		got := ""
		if errors.As(err, &b) {
			got = b.Requirement
		}
		if got != w.broken {
			t.Errorf("V%d %s%s: %v: got %q (%v), want %q", w.version, w.start, w.steps, w.came, got, err, w.broken)
		}
	}
}

// TestOccasions: a good world counts its requirements.
func TestOccasions(t *testing.T) {
	_, occasions := playWorld(t, world{1, sources, cites + again + `,{"abort":true}`, []string{
		message(`"a"`), listed, message(`"[citation: 1: 1]b"`), listed, message(`"[citation: 1: 1]c"`), end,
	}, "", ""})
	for _, id := range []string{"merlin.citations.same-number", "merlin.citations.cited-once", "merlin.failure.ends", "merlin.failure.kept"} {
		if occasions[id] == 0 {
			t.Errorf("no occasion of %s", id)
		}
	}
}
