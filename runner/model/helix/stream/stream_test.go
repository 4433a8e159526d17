package stream_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/document"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// setup is a stream with a reader.
type setup struct {
	s   *stream.Stream
	r   *stream.Reader
	n   int
	err error
}

func newSetup() *setup {
	return &setup{s: stream.New(model.OccasionCounts{}, stream.FamilyOf("f"), "1")}
}

func body(marker string, step int) []byte {
	return fmt.Appendf(nil, `{"agentId":"a","delta":"é","list":[null,7,0.5,{"n":null}],"runId":%q,"step":%d}`, marker, step)
}

// write stores n chunks of a step.
func (c *setup) write(n, step int) *setup {
	for range n {
		c.n++
		marker := c.s.Marker(c.n)
		c.s.Write(&stream.Chunk{Marker: marker, Body: body(marker, step), Step: step, Agent: "a", Text: "[" + marker + "]", Delta: "[" + marker + "]"})
	}
	return c
}

func (c *setup) do(f func(*stream.Stream)) *setup { f(c.s); return c }

// attach attaches the reader; position is an index into the known ids, -1 for none.
func (c *setup) attach(position int) *setup {
	if position < 0 {
		c.r = c.s.Attach(stream.Position{}, false)
		return c
	}
	c.r = c.s.Attach(c.s.Positions()[position], true)
	return c
}

func (c *setup) take(id, data string) *setup {
	if c.err == nil {
		_, c.err = c.r.Take(stream.Frame{ID: id, HasID: id != "", Data: []byte(data)})
	}
	return c
}

// chunk delivers the nth chunk with an id.
func (c *setup) chunk(n, id, step int) *setup { return c.raw(string(body(c.s.Marker(n), step)), id) }

func (c *setup) raw(chunk string, id int) *setup {
	return c.take(fmt.Sprint(id), fmt.Sprintf(`{"type":"chunk","chunk":%s,"sequence":%d}`, chunk, id))
}

// other is the same stream with another reader.
func (c *setup) other(position int) *setup { c.r.Detach(); return c.attach(position) }

func (c *setup) info(text string) *setup {
	if c.err == nil {
		c.err = c.s.Info(200, []byte(text))
	}
	return c
}

func (c *setup) snapshot(text string) *setup {
	if c.err == nil {
		c.err = c.s.Snapshot(200, []byte(text))
	}
	return c
}

func (c *setup) missed() *setup {
	if c.err == nil {
		c.err = c.r.Missed("nothing")
	}
	return c
}

const (
	paused    = `{"type":"status","status":"paused"}`
	active    = `{"type":"status","status":"active"}`
	ended     = `{"type":"end"}`
	truncated = `{"type":"truncated","truncatedAtStep":%d,"atSequence":%d}`
)

func pause(s *stream.Stream)    { s.SetStatus(stream.Paused) }
func resume(s *stream.Stream)   { s.SetStatus(stream.Active) }
func end(s *stream.Stream)      { s.End(`{"a":1}`) }
func fail(s *stream.Stream)     { s.Fail("broke", "tool_timeout") }
func cleanup(s *stream.Stream)  { s.Cleanup(1) }
func wordless(s *stream.Stream) { s.Fail("", "tool_timeout") }
func reset(s *stream.Stream)    { s.Reset() }

// read is a stream of two chunks that a reader has.
func read() *setup { return newSetup().write(2, 1).attach(-1).chunk(1, 1, 1).chunk(2, 2, 1) }

// bad are worlds that the model rules out, by the requirement that does.
var bad = map[string][]*setup{
	"helix.lifecycle.late-reader":          {newSetup().write(2, 1).attach(-1).chunk(2, 2, 1), read().chunk(2, 3, 1)},
	"helix.lifecycle.live":                 {read().write(1, 1).missed()},
	"helix.lifecycle.finished-replay":      {newSetup().write(1, 1).do(end).attach(-1).missed()},
	"helix.lifecycle.terminal-last-chunks": {newSetup().write(1, 1).attach(-1).do(end).take("2", ended)},
	"helix.lifecycle.first-terminal-wins":  {read().do(fail).take("3", ended)},
	"helix.lifecycle.fail":                 {read().do(fail).take("3", `{"type":"fail","error":"other"}`), read().do(fail).missed(), read().do(wordless).take("3", `{"type":"fail"}`)},
	"helix.errors.fail-code":               {read().do(fail).take("3", `{"type":"fail","error":"broke","code":"tool_error"}`)},
	"helix.lifecycle.final-output":         {read().do(end).take("3", `{"type":"end","finalOutput":{"a":2}}`)},
	"helix.lifecycle.end":                  {read().do(end).missed()},
	"helix.lifecycle.empty-stream":         {newSetup().attach(-1).do(end).missed()},
	"helix.lifecycle.no-chunk-after-end":   {read().do(end).raw(`{"runId":"x"}`, 3)},
	"helix.lifecycle.slow-reader":          {read().stall().write(1, 1).missed()},
	"helix.lifecycle.stalled-reader":       {read().stall().attach(-1).chunk(1, 1, 1).chunk(2, 2, 1).write(1, 1).missed()},
	"helix.chunks.no-merge":                {read().raw(`{"runId":"x"}`, 3)},
	"helix.chunks.strings-exact":           {changed(`"é"`, `"e"`)},
	"helix.chunks.nulls-kept":              {changed(`[null,`, `[0,`)},
	"helix.chunks.integers-exact":          {changed(`7,`, `8,`)},
	"helix.chunks.any-value":               {changed(`0.5`, `0.25`)},
	"helix.chunks.types":                   {changed(`"delta":"é",`, ``), changed(`"delta"`, `"toolName":"search","delta"`)},
	"helix.chunks.object":                  {newSetup().write(1, 1).attach(-1).take("1", `{"type":"chunk","sequence":1}`)},
	"helix.wire.json":                      {newSetup().attach(-1).take("", `[`)},
	"helix.wire.chunk-id":                  {newSetup().write(1, 1).attach(-1).take("", `{"type":"chunk","chunk":`+string(body("mark-f-1-1", 1))+`,"sequence":1}`)},
	"helix.wire.sequence":                  {newSetup().write(1, 1).attach(-1).take("1", `{"type":"chunk","chunk":`+string(body("mark-f-1-1", 1))+`,"sequence":2}`)},
	"helix.wire.terminal-id":               {read().do(end).take("", ended), read().write(1, 3).chunk(3, 9, 3).do(cleanup).other(-1).do(end).chunk(1, 1, 1).chunk(2, 2, 1).take("5", ended)},
	"helix.ordering.ascending":             {newSetup().write(2, 1).attach(-1).chunk(1, 2, 1).chunk(2, 1, 1)},
	"helix.ordering.at-least-one":          {newSetup().write(1, 1).attach(-1).chunk(1, 0, 1)},
	"helix.ordering.distinct-sequences":    {newSetup().write(2, 1).attach(-1).chunk(1, 1, 1).chunk(2, 1, 1)},
	"helix.ordering.total-order":           {newSetup().write(1, 1).write(1, 3).attach(-1).chunk(1, 1, 1).chunk(2, 5, 3).do(cleanup).other(1).write(1, 1).chunk(3, 3, 1)},
	"helix.resume.stable":                  {read().other(-1).chunk(1, 2, 1)},
	"helix.resume.complete":                {read().other(1).missed()},
	"helix.resume.after-cursor":            {read().other(1).chunk(2, 1, 1)},
	"helix.resume.at-latest":               {read().other(2).write(1, 1).missed()},
	"helix.chunks.all-or-nothing":          {read().do(func(s *stream.Stream) { s.Refuse(2) }).info(`{"status":"active","latestSequence":2,"chunkCount":4}`)},
	"helix.resume.cycles":                  {read().other(1).chunk(2, 2, 1).write(1, 1).missed()},
	"helix.resume.finished-tail":           {read().do(end).other(2).missed()},
	"helix.resume.paused":                  {read().do(pause).take("", paused).other(1).missed()},
	"helix.resume.removed-cursor":          {read().write(1, 3).chunk(3, 3, 3).do(cleanup).take("", fmt.Sprintf(truncated, 1, 3)).write(1, 1).other(3).missed()},
	"helix.truncation.removes":             {read().do(func(s *stream.Stream) { s.Cleanup(0) }).other(-1).chunk(1, 1, 1)},
	"helix.truncation.removed-on-resume":   {read().write(1, 3).do(cleanup).other(2).chunk(3, 3, 3)},
	"helix.truncation.in-flight":           {read().write(1, 3).do(cleanup).take("", fmt.Sprintf(truncated, 1, 3)).chunk(3, 3, 3)},
	"helix.truncation.reset-empties":       {read().do(reset).other(-1).chunk(1, 1, 1), read().do(reset).info(`{"status":"active","latestSequence":2,"chunkCount":2}`)},
	"helix.truncation.notifies":            {read().write(1, 3).do(cleanup).missed()},
	"helix.truncation.reset-notifies":      {read().do(reset).missed(), read().do(reset).take("", fmt.Sprintf(truncated, 1, 2))},
	"helix.truncation.step":                {read().write(1, 3).do(cleanup).take("", fmt.Sprintf(truncated, 2, 3))},
	"helix.truncation.covers-delivered":    {read().write(1, 3).do(cleanup).take("", fmt.Sprintf(truncated, 1, 1))},
	"helix.truncation.not-later":           {read().take("", fmt.Sprintf(truncated, 1, 2))},
	"helix.truncation.not-numbered":        {read().write(1, 3).do(cleanup).take("9", fmt.Sprintf(truncated, 1, 3))},
	"helix.truncation.goes-on":             {read().write(1, 3).do(cleanup).take("", fmt.Sprintf(truncated, 1, 3)).write(1, 1).missed()},
	"helix.truncation.keeps":               {newSetup().write(1, 1).write(1, 3).do(cleanup).attach(-1).missed(), read().write(1, 3).do(cleanup).other(-1).chunk(1, 9, 1)},
	"helix.truncation.keeps-stepless":      {newSetup().write(1, stream.Stepless).write(1, 3).do(cleanup).attach(-1).missed()},
	"helix.truncation.no-reuse":            {read().write(1, 3).chunk(3, 3, 3).do(cleanup).other(-1).write(1, 1).chunk(1, 1, 1).chunk(2, 2, 1).chunk(4, 3, 1)},
	"helix.truncation.reset-sequence":      {read().do(reset).other(-1).write(1, 1).chunk(3, 1, 1), newSetup().write(1, 1).attach(-1).chunk(1, 7, 1).do(reset).other(-1).write(1, 1).chunk(2, 3, 1)},
	"helix.truncation.stays-active":        {read().do(cleanup).take("3", ended)},
	"helix.truncation.latest-kept":         {read().do(func(s *stream.Stream) { s.Cleanup(0) }).info(`{"status":"active","latestSequence":1,"chunkCount":0}`)},
	"helix.truncation.count-after":         {read().do(func(s *stream.Stream) { s.Cleanup(0) }).info(`{"status":"active","latestSequence":2,"chunkCount":2}`)},
	"helix.status.frames":                  {read().do(pause).missed(), newSetup().attach(-1).do(pause).take("", paused).do(reset).missed()},
	"helix.status.attach-paused":           {fellow(true).chunk(1, 1, 1).write(1, 1).chunk(2, 2, 1), fellow(true).chunk(1, 1, 1).do(resume).write(1, 1).chunk(2, 2, 1)},
	"helix.status.no-terminal":             {read().do(pause).take("", paused).take("3", ended)},
	"helix.status.not-stored":              {read().take("", paused)},
	"helix.status.no-id":                   {read().do(pause).take("7", paused)},
	"helix.status.written-while-paused":    {read().do(pause).take("", paused).write(1, 1).do(resume).take("", active).missed()},
	"helix.status.info-members":            {read().info(`{"status":"active","latestSequence":2}`)},
	"helix.status.info-word":               {read().info(`{"status":"completed","latestSequence":2,"chunkCount":2}`)},
	"helix.status.transitions":             {read().do(pause).info(`{"status":"active","latestSequence":2,"chunkCount":2}`)},
	"helix.status.final":                   {read().do(end).do(resume).info(`{"status":"active","latestSequence":2,"chunkCount":2}`)},
	"helix.status.count":                   {read().info(`{"status":"active","latestSequence":2,"chunkCount":3}`), read().do(func(s *stream.Stream) { s.Refuse(2) }).info(`{"status":"active","latestSequence":2,"chunkCount":5}`)},
	"helix.status.latest":                  {read().info(`{"status":"active","latestSequence":3,"chunkCount":2}`)},
	"helix.security.isolation":             {newSetup().write(1, 1).attach(-1).raw(string(body("mark-f-2-1", 1)), 1)},
	"helix.snapshot.document":              {read().snapshot(`{}`)},
	"helix.snapshot.status":                {read().snapshot(`{"status":"paused","streamSequence":2}`)},
	"helix.snapshot.sequence":              {read().snapshot(`{"status":"active","streamSequence":1}`)},
	"helix.chunks.unknown-members":         {strange(`{"runId":%q,"delta":"a",%q:1}`, `{"runId":%q}`)},
	"helix.lifecycle.one-terminal":         {read().after()},
	"helix.lifecycle.independent-readers":  {newSetup().attach(-1).besides().write(1, 1).missed()},
	"helix.resume.query":                   {read().other(1).by((*stream.Reader).ByQuery).missed()},
	"helix.resume.header-wins":             {read().other(1).by((*stream.Reader).AgainstQuery).missed()},
	"helix.resume.zero":                    {read().other(0).by((*stream.Reader).FromZero).missed()},
	"helix.resume.padded-cursor":           {read().other(1).by((*stream.Reader).Padded).missed()},
	"helix.chunks.agent-id":                {without("agentId")},
	"helix.chunks.agent-type":              {without("agentType")},
	"helix.chunks.timestamp":               {without("timestamp")},
	"helix.resume.no-content":              {read().answered(func(c *setup) error { return c.s.NoContent(200) })},
	"helix.wire.content-type":              {read().answered(func(c *setup) error { return c.r.Answered(404) })},
	"helix.wire.stays-open":                {read().answered(func(c *setup) error { return c.r.Closed() })},
	"helix.snapshot.exact": {
		read().snapshot(`{"status":"active","streamSequence":2,"messages":[{"parts":[{"type":"text","text":"[mark-f-1-1]"}]}]}`),
		newSetup().snapshot(`{"status":"active","streamSequence":0}`),
		newSetup().snapshot(`{"status":"active","streamSequence":0,"state":{},"messages":[{"parts":[{"type":"text","text":"x"}]}]}`),
		newSetup().do(func(s *stream.Stream) { s.Begin(false) }).snapshot(`{"status":"active","streamSequence":0,"state":{}}`),
		read().do(func(s *stream.Stream) { s.Begin(map[string]any{"k": nil}); s.Reset() }).snapshot(`{"status":"active","streamSequence":0,"state":{}}`),
	},
}

// strange is a world in which a chunk with a member that the server doesn't know comes otherwise than it was written. Both
// hold the marker, and what was written the member's name.
func strange(written, came string) *setup {
	c := newSetup()
	marker := c.s.Marker(1)
	c.s.Write(&stream.Chunk{Marker: marker, Body: fmt.Appendf(nil, written, marker, document.UnknownMembers()[0])})
	return c.attach(-1).raw(fmt.Sprintf(came, marker), 1)
}

// without is a world in which a chunk of a type that the server doesn't know comes as it was written, without a member.
func without(member string) *setup {
	c := newSetup()
	marker := c.s.Marker(1)
	c.s.Write(&stream.Chunk{Marker: marker, Body: fmt.Appendf(nil, `{"type":"hologram","runId":%q}`, marker), Lacks: member})
	return c.attach(-1).raw(fmt.Sprintf(`{"type":"hologram","runId":%q}`, marker), 1)
}

// TestAServerAddsTheAgentOfTheWriter: not that of another one.
func TestAServerAddsTheAgentOfTheWriter(t *testing.T) {
	for id, right := range map[string]bool{"a7": true, "a1": false} {
		c := newSetup()
		marker := c.s.Marker(1)
		c.s.Write(&stream.Chunk{Marker: marker, Body: fmt.Appendf(nil, `{"type":"hologram","runId":%q}`, marker), Lacks: "agentId", Opened: "a7"})
		if c = c.attach(-1).raw(fmt.Sprintf(`{"type":"hologram","runId":%q,"agentId":%q}`, marker, id), 1); (c.err == nil) != right {
			t.Errorf("%s: %v", id, c.err)
		}
	}
}

// TestMembersThatAServerAddsAreFree: a server that accepts a chunk without a member that it assigns adds it.
func TestMembersThatAServerAddsAreFree(t *testing.T) {
	for member, value := range map[string]string{"agentId": `"w"`, "agentType": `"w"`, "timestamp": "1"} {
		c := newSetup()
		marker := c.s.Marker(1)
		c.s.Write(&stream.Chunk{Marker: marker, Body: fmt.Appendf(nil, `{"type":"hologram","runId":%q}`, marker), Lacks: member})
		if c = c.attach(-1).raw(fmt.Sprintf(`{"type":"hologram","runId":%q,%q:%s}`, marker, member, value), 1); c.err != nil {
			t.Errorf("%s: %v", member, c.err)
		}
	}
}

// TestEitherOfTwoEndsCounts: a snapshot may show either of two different ends of a call, but shows one.
func TestEitherOfTwoEndsCounts(t *testing.T) {
	shown := func(state string, ends ...bool) error {
		c := newSetup().write(1, 1)
		marker := c.s.Marker(1)
		c.s.Write(&stream.Chunk{Marker: marker, Body: body(marker, 1), Agent: "a", Calls: "c"})
		for _, failed := range ends {
			c.s.Write(&stream.Chunk{Marker: marker, Body: body(marker, 1), Agent: "a", Ends: "c", Failed: failed})
		}
		text := fmt.Sprintf(`{"status":"active","streamSequence":%d,"state":{},"messages":[{"parts":[{"type":"text","text":"[%s]"},{"type":"tool","toolCallId":"c","state":%q}]}]}`, 2+len(ends), marker, state)
		return c.attach(-1).raw(string(body(marker, 1)), 1).snapshot(text).err
	}
	for _, state := range []string{"completed", "error"} {
		if err := shown(state, false, true); err != nil {
			t.Errorf("%s, after both ends: %v", state, err)
		}
		if err := shown(state, state == "completed"); err == nil {
			t.Errorf("%s, after the other end: no breach", state)
		}
	}
}

// TestReasoningOfASnapshot: a snapshot contains every block that came in one chunk, in any division of the message. It may
// contain or drop blocks of complete steps, and a block that grew.
func TestReasoningOfASnapshot(t *testing.T) {
	const (
		whole            = `{"type":"thinking","content":"Hm.","isComplete":true}`
		grows            = `{"type":"thinking","content":"Hm","isComplete":false}`
		over             = `{"type":"thinking","content":"","isComplete":true}`
		event            = `{"type":"custom","eventName":"e","data":1}`
		savedCheckpoints = `{"type":"step_committed"}`
	)
	for _, c := range []struct {
		chunks  []string
		parts   string
		accused bool
	}{
		{[]string{whole, whole}, `{"type":"reasoning","text":"Hm."},{"type":"reasoning","text":"Hm."}`, false},
		{[]string{whole, whole}, `{"type":"reasoning","text":"Hm.Hm."}`, false},
		{[]string{whole, whole}, `{"type":"reasoning","text":"Hm."}`, true},
		{[]string{whole}, `{"type":"reasoning","text":"Hm. Well."}`, true},
		{[]string{whole}, ``, true},
		{[]string{whole, savedCheckpoints}, ``, false},
		{[]string{whole, grows}, `{"type":"reasoning","text":"Hm."}`, false},
		{[]string{grows, over}, `{"type":"reasoning","text":"Hm"}`, false},
		{[]string{grows, over}, `{"type":"reasoning","text":""}`, true},
		{[]string{grows, over, whole}, `{"type":"reasoning","text":"HmHm."}`, false},
		{[]string{grows, over, whole}, `{"type":"reasoning","text":"Hm."}`, true},
		{[]string{grows, whole}, `{"type":"reasoning","text":"Hm"}`, false}, // the block is told in two ways
		{[]string{grows, event, over}, `{"type":"reasoning","text":"Hm"},{"type":"reasoning"}`, false},
		{[]string{grows, event, over}, `{"type":"reasoning"}`, false}, // whether an event ends a block isn't said
	} {
		s := newSetup().write(1, 1)
		for _, chunk := range c.chunks {
			s.s.Write(&stream.Chunk{Marker: s.s.Marker(1), Body: []byte(chunk), Agent: "a"})
		}
		parts := fmt.Sprintf(`{"type":"text","text":"[%s]"}`, s.s.Marker(1))
		if c.parts != "" {
			parts += "," + c.parts
		}
		page := fmt.Sprintf(`{"status":"active","streamSequence":%d,"state":{},"messages":[{"parts":[%s]}]}`, 1+len(c.chunks), parts)
		if err := s.snapshot(page).err; (err != nil) != c.accused {
			t.Errorf("%v, shown as %s: %v", c.chunks, c.parts, err)
		}
	}
}

// TestAnEndBeforeItsBeginningIsFree: a snapshot may show anything for a call whose end precedes its beginning.
func TestAnEndBeforeItsBeginningIsFree(t *testing.T) {
	c := newSetup().write(1, 1)
	marker := c.s.Marker(1)
	c.s.Write(&stream.Chunk{Marker: marker, Body: body(marker, 1), Agent: "a", Ends: "c", Failed: true})
	c.s.Write(&stream.Chunk{Marker: marker, Body: []byte(`{"type":"tool_start","toolCallId":"c","toolName":"find"}`), Agent: "a", Calls: "c"})
	for _, parts := range []string{
		`{"type":"tool","toolCallId":"c","toolName":"other","state":"error"},{"type":"tool","toolCallId":"c","toolName":"find","state":"executing"}`,
		`{"type":"tool","toolCallId":"c","toolName":"find","state":"executing"}`,
		`{"type":"tool","toolCallId":"c","toolName":"find","state":"error"}`,
	} {
		text := fmt.Sprintf(`{"status":"active","streamSequence":3,"state":{},"messages":[{"parts":[{"type":"text","text":"[%s]"},%s]}]}`, marker, parts)
		if err := c.attach(-1).raw(string(body(marker, 1)), 1).snapshot(text).err; err != nil {
			t.Errorf("%s: %v", parts, err)
		}
		c.err = nil
	}
}

// TestUnknownMembersAreFree: a server may drop unknown members of a writer, and add others.
func TestUnknownMembersAreFree(t *testing.T) {
	for name, c := range map[string]*setup{
		"dropped": strange(`{"runId":%q,%q:1}`, `{"runId":%q}`),
		"added":   strange(`{"runId":%q,%q:1}`, `{"runId":%q,"storedBy":{"node":1}}`),
	} {
		if c.err != nil {
			t.Errorf("%s: %v", name, c.err)
		}
	}
}

// TestAPauseBetweenTwoFramesIsFree: a reader that attached in a pause and is notified of it afterwards may miss a later
// pause that is over at once.
func TestAPauseBetweenTwoFramesIsFree(t *testing.T) {
	c := newSetup().write(1, 1).do(pause).attach(-1).chunk(1, 1, 1).do(resume).take("", paused).do(pause).do(resume)
	if expected := c.r.Expected(); c.err != nil || expected != "" {
		t.Errorf("%s is due, %v", expected, c.err)
	}
}

// fellow is a paused stream of one chunk to which a second reader attaches, after one that was notified of the pause or not.
func fellow(notified bool) *setup {
	c := newSetup().write(1, 1).do(pause).attach(-1).chunk(1, 1, 1)
	if notified {
		c.take("", paused)
	}
	return c.attach(-1)
}

// TestAPauseMayGoUnnoticed: a reader that attached during a pause needn't be notified where no other one is, before chunks
// that may be stored ones, and once the pause is over before it took one.
func TestAPauseMayGoUnnoticed(t *testing.T) {
	for i, c := range []*setup{
		fellow(false).chunk(1, 1, 1).write(1, 1).chunk(2, 2, 1),
		fellow(true).write(1, 1).chunk(1, 1, 1).chunk(2, 2, 1),
		fellow(true).chunk(1, 1, 1).take("", paused).write(1, 1).chunk(2, 2, 1),
		fellow(true).do(resume).chunk(1, 1, 1).write(1, 1).chunk(2, 2, 1),
		fellow(true).chunk(1, 1, 1).do(resume).take("", paused).write(1, 1).chunk(2, 2, 1),
		fellow(true).chunk(1, 1, 1).do(resume).do(pause).take("", paused).write(1, 1).chunk(2, 2, 1),
	} {
		if c.err != nil {
			t.Errorf("world %d: %v", i, c.err)
		}
	}
}

func (c *setup) after() *setup { c.err = c.r.After(stream.Frame{Data: []byte(ended)}); return c }

// besides lets another reader attach, too.
func (c *setup) besides() *setup { c.s.Attach(stream.Position{}, false); return c }

func (c *setup) by(how func(*stream.Reader)) *setup { how(c.r); return c }

func (c *setup) answered(f func(*setup) error) *setup { c.err = f(c); return c }

func (c *setup) stall() *setup { c.r.Stall(); return c }

// changed is a world in which a chunk comes with a part of its text replaced.
func changed(old, new string) *setup {
	c := newSetup().write(1, 1).attach(-1)
	text := string(body(c.s.Marker(1), 1))
	return c.raw(strings.Replace(text, old, new, 1), 1)
}

// TestBadWorldsAreRuledOut: the requirement that a world breaks is the one that is named.
func TestBadWorldsAreRuledOut(t *testing.T) {
	for id, worlds := range bad {
		for i, c := range worlds {
			var b *model.Violation
			if !errors.As(c.err, &b) || b.Requirement != id {
				t.Errorf("%s, world %d: got %v", id, i, c.err)
				if b != nil {
					t.Errorf("  of %s", b.Requirement)
				}
			}
		}
	}
}
