package helixui

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// machine stores the data of a response with which later parts are compared.
type machine struct {
	judge.Base

	resumed     bool   // the reader had a cursor: open parts began in another response
	started     bool   // start came
	early       bool   // a part of a step came before start, which was found once
	finished    bool   // finish came
	reason      string // why the model stopped, from finish
	excused     bool   // an error or an abort ends the message early
	failed      bool   // and it was an error
	messageOpen bool   // the message was open: a part came that can't follow an error or an abort
	done        bool   // the end of the stream was seen
	extra       bool   // and a part after it

	message string       // its id, from start
	latest  judge.Number // id

	texts, reasonings blocks // of the response so far
	steps             int    // that are open
	stepped           bool   // one has started
	calls             calls  // of the response so far

	unstarted judge.Position // the first part of the message before start that stood in no step
	naming    naming         // whether start named another message than the data before it
}

// New returns a machine that judges one response. The server made all parts: the origin doesn't matter.
func New(o judge.Options) judge.Machine {
	m := &machine{Base: judge.NewBase(o, judge.Wire{
		ContentType: wireContentType, CacheControl: wireCacheControl, UTF8: wireUTF8, NoBOM: wireNoBOM, BlankLine: wireBlankLine,
		SingleDataLine: wireSingleLine, BodyCloses: flowCloses, Unit: "part", AUnit: "a part",
	})}
	m.texts.rules = blockRules{name: "text", opened: textOpened, closed: textClosed, unique: textUnique, step: textStep}
	m.reasonings.rules = blockRules{
		name: "reasoning", opened: reasoningOpened, closed: reasoningClosed, unique: reasoningUnique, step: reasoningStep,
	}
	return m
}

// JudgeAnswer judges an answer that isn't a stream; no rule is about one.
func JudgeAnswer(judge.Options, judge.Answer) ([]record.Finding, map[string]int) { return nil, nil }

// Head implements judge.Machine.
func (m *machine) Head(h judge.Head) []record.Finding {
	m.Begin()
	m.resumed = h.HasCursor
	// Refusals are left alone, and so is a capture without a head.
	if h.Status >= 200 && h.Status <= 299 && h.Header != nil {
		m.StreamHead(h)
		m.Saw(wireHeader)
		if got := strings.Join(h.Header["x-vercel-ai-ui-message-stream"], ", "); got != "v1" {
			m.Violation(wireHeader, judge.Position{}, "the head doesn't say which protocol the stream has", "x-vercel-ai-ui-message-stream: v1", judge.Show(got))
		}
	}
	return m.Found()
}

// isDone reports whether data is the end of the stream.
func isDone(data []byte) bool { return string(bytes.TrimSpace(data)) == "[DONE]" }

// Begins reports whether a part begins a response: a reader that came back gets it only where it is sent all again.
func Begins(data []byte) bool {
	var part struct{ Type string }
	return json.Unmarshal(data, &part) == nil && part.Type == "start"
}

// Frame implements judge.Machine.
func (m *machine) Frame(f *wire.Frame) []record.Finding {
	m.Begin()
	m.Bytes(f)
	if f.Dispatched() && !m.Several() {
		m.framing(f)
		if isDone(f.Data) {
			m.ended(judge.At(f))
		} else {
			m.part(f)
		}
		m.Witness()
	}
	return m.Found()
}

// framing checks the fields around the data.
func (m *machine) framing(f *wire.Frame) {
	if m.Options.Bare {
		return
	}
	m.Lines(f)
	m.Saw(wireUnnamed)
	if f.Event != "" && f.Event != "message" {
		m.Violation(wireUnnamed, judge.At(f), "the event has a name", "no event field", judge.Show(f.Event))
	}
}

// ended takes the end of the stream.
func (m *machine) ended(at judge.Position) {
	m.behind(at, "another [DONE]")
	m.Saw(flowDone)
	m.Saw(flowDoneLast)
	if !m.done {
		m.concluded(at, "[DONE]")
	}
	m.done = true
}

// behind judges that no part comes after the end of the stream.
func (m *machine) behind(at judge.Position, got string) {
	if m.done && !m.extra {
		m.extra = true
		m.Violation(flowDoneLast, at, "an event follows [DONE]", "the end of the body", got)
	}
}

// part judges one part: its members by its schema, its position by the parts before it.
func (m *machine) part(f *wire.Frame) {
	at := judge.At(f)
	v := judge.VerdictOf(m.Options.Schemas.Frame(schemas.Strict, f.Data))
	m.Saw(partsObject)
	m.Schema(at, v.Findings...)
	kind, _ := v.Object["type"].(string)
	m.behind(at, "the part "+judge.Show(kind))
	if v.Object == nil {
		return
	}
	if kind == "" {
		m.MeetUnknown()
		return // the schema has reported it
	}
	m.known(at, kind, v)
	m.id(f)
	m.checkPosition(at, kind, v.Object)
	m.messageOpen = m.messageOpen || !free(kind) && !closing(kind)
	switch kind {
	case "start":
		m.started = true
		m.message, _ = v.Object["messageId"].(string)
	case "finish":
		m.finish(at, v.Object)
	case "error", "abort":
		m.excused, m.failed = true, m.failed || kind == "error"
	case "start-step", "finish-step", "reset-step":
		m.step(at, kind)
	default:
		m.content(at, kind, v.Object)
	}
}

// id checks that ids of events ascend. Parts of one chunk may share an id.
func (m *machine) id(f *wire.Frame) {
	if !f.HasID || f.ID == "" {
		return
	}
	if now := judge.Decimal(f.ID); now.OK {
		m.Ascends(resumeAscending, judge.At(f), judge.Order{Message: "the id is below one before it", Want: "at least %d", Equal: true}, m.latest, now.N)
		m.latest = now
		return
	}
	m.Saw(resumeAscending) // an id that isn't a number has no order
}

// known counts the checks of the schemas.
func (m *machine) known(at judge.Position, kind string, v judge.Verdict) {
	isData := strings.HasPrefix(kind, "data-")
	m.Saw(partsKnown)
	switch {
	case isData:
		m.Saw(partsData)
	case !v.Known:
		m.MeetUnknown()
		m.Violation(partsKnown, at, "clients refuse a part of this type, and the rest of the message with it", "a type of the table, or data-…", judge.Show(kind))
	default:
		m.Saw(partsMembers)
		m.Saw(partsOptional)
	}
}

// free reports whether a part may come before start and after finish: it is a part of the application.
func free(kind string) bool {
	return strings.HasPrefix(kind, "data-") || kind == "message-metadata" || strings.HasPrefix(kind, "source-") || kind == "file" ||
		kind == "error" || kind == "abort"
}

// closing reports whether a part only closes an open one, so that it may follow an error or an abort.
func closing(kind string) bool {
	return kind == "text-end" || kind == "reasoning-end" || kind == "finish-step" || strings.HasPrefix(kind, "tool-output-")
}

// loose reports whether a writer may send a part before start while no step is open: a text of the application, or the
// output of a call of an earlier response. started reports that such a part came before.
func loose(kind string, started bool) bool {
	switch kind {
	case "text-delta", "text-end", "reasoning-delta", "reasoning-end":
		return started
	}
	return kind == "text-start" || kind == "reasoning-start" || strings.HasPrefix(kind, "tool-output-")
}

// checkPosition checks that start comes first and finish last.
func (m *machine) checkPosition(at judge.Position, kind string, object map[string]any) {
	switch {
	case kind == "start":
		m.Saw(flowStart)
		m.Saw(flowStartOnce)
		if m.started {
			m.Violation(flowStartOnce, at, "start comes a second time", "one start", "another")
		}
		m.names(at, object)
	case m.started || m.resumed || free(kind):
	case loose(kind, m.unstarted != judge.Position{}) && m.steps == 0:
		if m.unstarted == (judge.Position{}) {
			m.unstarted = at
		}
	case !m.early:
		m.early = true
		m.Violation(flowStart, at, "a part comes before start", "start", judge.Show(kind))
	}
	m.begins(kind, object)
	if m.finished && !free(kind) {
		m.Violation(flowFinishLast, at, "a part follows finish", "[DONE]", judge.Show(kind))
	}
	if m.failed && (kind == "text-start" || kind == "reasoning-start" || kind == "tool-input-start") {
		m.Violation(errorsSilent, at, "content begins behind an error", "the end of the message", judge.Show(kind))
	}
	if kind == "error" {
		m.Saw(errorsSilent)
	}
}

// finish checks that nothing is open.
func (m *machine) finish(at judge.Position, object map[string]any) {
	m.Saw(flowFinish)
	m.Saw(flowFinishLast)
	m.reason, _ = object["finishReason"].(string)
	if id, there := object["messageId"]; m.message != "" {
		m.SameValue(resumeSameMessage, at, "finish names another message than start", !there || id == m.message, judge.Show(m.message), id)
	}
	m.over(at, "finish")
	m.finished = true
}

// over checks that nothing is open at the end of the message.
func (m *machine) over(at judge.Position, end string) {
	m.unbegun()
	if m.excused {
		return
	}
	m.texts.over(m, at, "", end)
	m.reasonings.over(m, at, "", end)
	if m.stepped {
		m.Saw(stepsClosed)
	}
	if m.steps > 0 {
		m.Violation(stepsClosed, at, "a step is open at "+end, "finish-step", end)
	}
	m.calls.over(m, at)
}

// concluded judges a response that came to its end: [DONE] shows that nothing is missing.
func (m *machine) concluded(at judge.Position, end string) {
	// A resumed reader may have lacked nothing of the message, or have received an error before.
	if m.finished || m.excused || m.resumed && !m.messageOpen {
		m.unbegun()
		return
	}
	m.Saw(flowFinish)
	m.Violation(flowFinish, at, "the response ends without finish, and no error says why", "finish", end)
	m.over(at, end)
}

// unbegun finds a message that ended and never started.
func (m *machine) unbegun() {
	if m.unstarted != (judge.Position{}) && !m.started && !m.early && !m.excused {
		m.early = true
		m.Violation(flowStart, m.unstarted, "a part comes and start never does", "start", "the end of the message")
	}
}

// step checks a part that begins or ends a step.
func (m *machine) step(at judge.Position, kind string) {
	switch {
	case kind == "start-step":
		m.Saw(stepsNested)
		if m.steps > 0 {
			m.Violation(stepsNested, at, "a step begins within another", "finish-step", kind)
		}
		m.steps++
		m.stepped = true
		m.calls.next()
		return
	case kind == "reset-step":
		m.texts.forget()
		m.reasonings.forget()
		m.calls.forget()
		return
	case m.steps == 0 && !m.resumed:
		m.Saw(stepsOpened)
		m.Violation(stepsOpened, at, "a step ends that never began", "start-step", kind)
	default:
		m.Saw(stepsOpened)
		m.steps = max(m.steps-1, 0)
	}
	if !m.excused && m.steps == 0 {
		m.texts.over(m, at, textStep, kind)
		m.reasonings.over(m, at, reasoningStep, kind)
	}
}

// content checks a part of a text, of reasoning or of a call.
func (m *machine) content(at judge.Position, kind string, object map[string]any) {
	name, stage, _ := strings.Cut(kind, "-")
	switch {
	case kind == "reasoning-file":
	case name == "text":
		m.texts.take(m, at, stage, object)
	case name == "reasoning":
		m.reasonings.take(m, at, stage, object)
	case name == "tool":
		m.calls.take(m, at, stage, object)
	}
}

// Unfinished implements judge.Unfinished.
func (m *machine) Unfinished() string {
	where := cmp.Or(m.texts.unfinished(), m.reasonings.unfinished(), m.calls.unfinished())
	switch {
	case m.done:
		return ""
	case m.finished:
		return "behind finish, and before [DONE]"
	case m.excused:
		return "behind an error or an abort, and before [DONE]"
	case where != "":
		return where
	case m.steps > 0:
		return "in an open step"
	}
	return "before finish"
}

// Close implements judge.Machine.
func (m *machine) Close(end record.End) []record.Finding {
	m.Begin()
	m.Ends(end, m.done || m.finished)
	// A connection that broke may be the network's fault, or ours.
	if end == record.ServerClose && !m.Truncated() {
		if !m.done && !m.finished && !m.excused && (m.messageOpen || !m.resumed) {
			m.Saw(flowFinish)
			m.Violation(flowFinish, judge.Position{}, "the body ends without finish, and no error says why", "finish", "the end of the body")
		}
		m.unbegun()
		if !m.done {
			m.Saw(flowDone)
			m.Violation(flowDone, judge.Position{}, "the body ends without [DONE]", "data: [DONE]", "the end of the body")
		}
	}
	return m.Found()
}
