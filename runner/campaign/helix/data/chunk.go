package data

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/model/helix/document"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
)

const (
	Epoch  = int64(17023296e5)  // the timestamp of the first chunk
	Agent  = "agent-1"          // writes nearly all chunks, so that a snapshot shows them
	Filler = "The quick brown " // repeated to make a text long
)

// NewChunk returns the next chunk of a stream; n is how many were written before, and first how many were before the
// operation.
func NewChunk(s *streammodel.Stream, n, first int, o program.Operation) *streammodel.Chunk {
	switch o.Class {
	case program.MixedChunks:
		return mixChunks(s, n, first, o)
	case program.EqualText:
		n = first // so that all chunks of the operation are equal
	}
	c, members := blank(s, n, o)
	switch o.Class {
	case program.AnyValue:
		all := campaign.Values()
		typed(members, n, all[n%len(all)])
	case program.UnknownMember:
		names := document.UnknownMembers()
		words(c, members, o.Size)
		name := names[n%len(names)]
		members[name] = unknownValue(name, n)
	case program.UnknownType, program.LackingMember:
		members["type"], members["note"], members["data"], members["step"] = "hologram", nil, anyValue(campaign.NewDraw(int64(n), 0)), 0
		if o.Class == program.UnknownType {
			members["type"] = UnknownTypes[n%len(UnknownTypes)]
		}
		c.Step = 0
	case program.ASCIIText, program.EqualText:
		words(c, members, o.Size)
	case program.Patch:
		members["type"] = "state_patch"
		members["patches"], c.Sets = patchInTurn(n, n-first)
	case program.PatchApart:
		members["type"] = "state_patch"
		members["patches"], c.Sets = patchApart(n, n-first)
		c.Step = 1 + (n-first)%2
		members["step"] = c.Step
	case program.Reasoning:
		members["type"] = "thinking"
		members["content"], members["isComplete"] = reasoning(n, n-first)
	case program.GrowingState:
		grow(c, members, o.Size)
	case program.EveryClass:
		class, i := campaign.TextClass(n)
		emitted(members, n/2, campaign.Text(class, i, o.Size))
	default:
		emitted(members, n, campaign.Text(o.Class, n, o.Size))
	}
	if o.Class == program.EveryClass {
		members["timestamp"] = times[n%len(times)]
	}
	if facts(c, members); o.Class == program.LackingMember {
		c.Lacks = CommonMembers[n%len(CommonMembers)]
		members["agentId"], c.Opened = AgentOf(o.Who), AgentOf(o.Who)
		delete(members, c.Lacks)
		c.Body = Encode(members)
	}
	return c
}

// unknownValue returns a value for a member that no chunk has: of the type of the known member whose name is similar, if there
// is one.
func unknownValue(name string, n int) any {
	switch strings.ToLower(strings.ReplaceAll(name, "_", "")) {
	case "step", "timestamp", "sequence", "cursor":
		return n + 3
	case "type", "agentid", "delta", "id":
		return "since"
	}
	return map[string]any{"since": n}
}

// UnknownTypes lists types that no chunk has. Some are types of frames or of other protocols.
var UnknownTypes = []string{"hologram", "end", "status", "fail", "done", "truncated", "chunk", "ping", "close", "message"}

// times lists timestamps of every length, and the falsy 0.
var times = []int64{0, 1, Epoch, 1<<31 - 1, 1 << 32, 253402300800000, 1<<53 - 1}

// AgentOf returns the agentId for which a writer is opened.
func AgentOf(writer int) string {
	if writer == program.ForeignWriter {
		return "agent-9"
	}
	return Agent
}

// CommonMembers lists members that every chunk has.
var CommonMembers = []string{"agentId", "agentType", "timestamp"}

// blank returns a chunk with the members that all have.
func blank(s *streammodel.Stream, n int, o program.Operation) (*streammodel.Chunk, map[string]any) {
	c := &streammodel.Chunk{Marker: s.Marker(n + 1), Step: stepOf(o.Step, n)}
	members := map[string]any{"agentId": Agent, "agentType": "assistant", "timestamp": Epoch + int64(n), "runId": c.Marker}
	if c.Step != streammodel.Stepless {
		members["step"] = c.Step
	}
	return c, members
}

// words makes the chunk a text_delta with a unique text of about size bytes.
func words(c *streammodel.Chunk, members map[string]any, size int) {
	c.Text = "[" + c.Marker + "]"
	more := max(0, size-len(c.Text))
	members["type"], members["delta"] = "text_delta", c.Text+strings.Repeat(Filler, more/len(Filler)+1)[:more]
}

// ChunksOf returns the next n chunks of a stream, and the body of the call that writes them.
func ChunksOf(s *streammodel.Stream, o program.Operation, n, first int) ([]*streammodel.Chunk, []byte) {
	var chunks []*streammodel.Chunk
	var bodies [][]byte
	for i := range n {
		c := NewChunk(s, s.Written()+i, first, o)
		chunks, bodies = append(chunks, c), append(bodies, c.Body)
	}
	if n == 1 {
		return chunks, bodies[0]
	}
	return chunks, slices.Concat([]byte("["), bytes.Join(bodies, []byte(",")), []byte("]"))
}

// stepOf returns the step of the nth chunk.
func stepOf(step, n int) int {
	if step == program.MixedSteps {
		return n%5 - 1
	}
	return step
}

// emitted fills in one of the types that have texts.
func emitted(members map[string]any, n int, text string) {
	name := text
	if strings.ContainsAny(name, "\r\n") { // a server may refuse a line end in a name
		name = "name"
	}
	switch n % 4 {
	case 0:
		members["type"], members["delta"] = "text_delta", text
	case 1:
		members["type"], members["content"], members["isComplete"] = "thinking", text, true
	case 2:
		members["type"], members["eventName"], members["data"] = "custom", name, map[string]any{"text": text, "in": []any{text}}
	default:
		members["type"], members["toolCallId"], members["toolName"], members["arguments"] = "tool_start", "call-"+strconv.Itoa(n), name, map[string]any{"a": text}
	}
}

// typed fills in one of the types that have any JSON value.
func typed(members map[string]any, n int, v any) {
	switch n % 3 {
	case 0:
		members["type"], members["eventName"], members["data"] = "custom", "event", v
	case 1:
		members["type"], members["toolCallId"], members["toolName"], members["success"], members["result"] = "tool_end", "call-"+strconv.Itoa(n), "tool", true, v
	default:
		members["type"], members["toolCallId"], members["toolName"], members["arguments"] = "tool_start", "call-"+strconv.Itoa(n), "tool", map[string]any{"value": v, "list": []any{v}}
	}
}

// MayRefuse returns the reason for which a server may refuse chunks of an operation; "" if it may not.
func MayRefuse(o program.Operation) string {
	switch {
	case o.Class == "nul":
		return "a NUL in a string"
	case o.Class == program.UnknownMember:
		return "a member that it doesn't know"
	case o.Class == program.UnknownType, o.Class == program.LackingMember:
		return "a type that it doesn't know"
	}
	return ""
}

// Encode returns a value as JSON; no character is escaped for HTML.
func Encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // only strings, numbers and containers of them
	}
	return bytes.TrimSpace(b.Bytes())
}

// reasoning returns the reasoning of the nth chunk of a stream; ith is the chunk's index within its operation.
func reasoning(n, ith int) (content string, complete bool) {
	emitted := func(n int) string { return "Hm " + strconv.Itoa(n) + ". " }
	switch {
	case ith%3 < 2:
		return emitted(n), false
	case ith%2 == 0:
		return "", true
	default:
		return emitted(n-2) + emitted(n-1), true
	}
}
