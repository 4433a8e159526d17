package helix

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/model/helix/document"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
)

// The classes of data beside those of texts.
const (
	values      = "any"              // JSON values
	unknown     = "unknown-member"   // a member that no chunk has
	strange     = "unknown-type"     // a type that no server knows
	lacking     = "lacking"          // such a type, without a member that every chunk has
	every       = "every"            // one class after the other
	asciiText   = "plain"            // words
	long64      = "long"             // words of hundreds of KiB, with which a stream fails or ends
	empty       = "empty"            // a text without a character, with which a stream fails
	grows       = "growing"          // a patch that adds a member of that size to the state
	patches     = "patch"            // patches, each of another way of changing something
	apart       = "patch-apart"      // patches of step 1, and of step 2, which change what lies within what the one before added
	reasoningOf = "thoughts"         // reasoning in blocks of two increments and what completes them, which is empty or the whole block
	equals      = "equal"            // words, the same in each chunk of an operation
	epoch       = int64(17023296e5)  // the timestamp of the first chunk
	agent       = "agent-1"          // writes everything, so that a snapshot shows all of it
	filler      = "The quick brown " // is repeated to make a text long
)

// newChunk makes the chunk that is written to a stream next; n is how many were before, and first how many were before
// the operation began.
func newChunk(s *streammodel.Stream, n, first int, o Operation) *streammodel.Chunk {
	switch o.class {
	case mixedChunks:
		return mixChunks(s, n, first, o)
	case equals:
		n = first
	}
	c, members := blank(s, n, o)
	switch o.class {
	case values:
		all := campaign.Values()
		typed(members, n, all[n%len(all)])
	case unknown:
		names := document.UnknownMembers()
		words(c, members, o.size)
		name := names[n%len(names)]
		members[name] = alien(name, n)
	case strange, lacking:
		members["type"], members["note"], members["data"], members["step"] = "hologram", nil, anyValue(campaign.NewDraw(int64(n), 0)), 0
		if o.class == strange {
			members["type"] = unauthorizedCalls[n%len(unauthorizedCalls)]
		}
		c.Step = 0
	case asciiText, equals:
		words(c, members, o.size)
	case patches:
		members["type"] = "state_patch"
		members["patches"], c.Sets = patchInTurn(n, n-first)
	case apart:
		members["type"] = "state_patch"
		members["patches"], c.Sets = patchApart(n, n-first)
		c.Step = 1 + (n-first)%2
		members["step"] = c.Step
	case reasoningOf:
		members["type"] = "thinking"
		members["content"], members["isComplete"] = reasoning(n, n-first)
	case grows:
		grow(c, members, o.size)
	case every:
		class, i := campaign.TextClass(n)
		emitted(members, n/2, campaign.Text(class, i, o.size))
	default:
		emitted(members, n, campaign.Text(o.class, n, o.size))
	}
	if o.class == every {
		members["timestamp"] = times[n%len(times)]
	}
	if facts(c, members); o.class == lacking {
		c.Lacks = common[n%len(common)]
		members["agentId"], c.Opened = agentOf(o.who), agentOf(o.who)
		delete(members, c.Lacks)
		c.Body = encode(members)
	}
	return c
}

// alien is the value of a member that no chunk has: of one whose name is nearly that of another, what this might hold.
func alien(name string, n int) any {
	switch strings.ToLower(strings.ReplaceAll(name, "_", "")) {
	case "step", "timestamp", "sequence", "cursor":
		return n + 3
	case "type", "agentid", "delta", "id":
		return "since"
	}
	return map[string]any{"since": n}
}

// unauthorizedCalls are types that no server knows of chunks. Of frames, and of other protocols, some are the names.
var unauthorizedCalls = []string{"hologram", "end", "status", "fail", "done", "truncated", "chunk", "ping", "close", "message"}

// times are timestamps of every length, the first of which a truth test takes for absent.
var times = []int64{0, 1, epoch, 1<<31 - 1, 1 << 32, 253402300800000, 1<<53 - 1}

// foreign is a writer that was opened for an agent of its own, which writes nothing that adds to a snapshot.
const foreign = 9

// agentOf is the agent that a writer is opened for.
func agentOf(writer int) string {
	if writer == foreign {
		return "agent-9"
	}
	return agent
}

// common are members that every chunk has.
var common = []string{"agentId", "agentType", "timestamp"}

// blank is a chunk with the members that all have.
func blank(s *streammodel.Stream, n int, o Operation) (*streammodel.Chunk, map[string]any) {
	c := &streammodel.Chunk{Marker: s.Marker(n + 1), Step: stepOf(o.step, n)}
	members := map[string]any{"agentId": agent, "agentType": "assistant", "timestamp": epoch + int64(n), "runId": c.Marker}
	if c.Step != streammodel.Stepless {
		members["step"] = c.Step
	}
	return c, members
}

// words lets a chunk say words that no other says.
func words(c *streammodel.Chunk, members map[string]any, size int) {
	c.Text = "[" + c.Marker + "]"
	more := max(0, size-len(c.Text))
	members["type"], members["delta"] = "text_delta", c.Text+strings.Repeat(filler, more/len(filler)+1)[:more]
}

// chunksOf makes the next n chunks of a stream, and the body of the call that writes them.
func chunksOf(s *stream, o Operation, n, first int) ([]*streammodel.Chunk, []byte) {
	var chunks []*streammodel.Chunk
	var bodies [][]byte
	for i := range n {
		c := newChunk(s.Stream, s.Written()+i, first, o)
		chunks, bodies = append(chunks, c), append(bodies, c.Body)
	}
	if n == 1 {
		return chunks, bodies[0]
	}
	return chunks, slices.Concat([]byte("["), bytes.Join(bodies, []byte(",")), []byte("]"))
}

// stepOf is the step of the nth chunk.
func stepOf(step, n int) int {
	if step == mixed {
		return n%5 - 1
	}
	return step
}

// emitted puts a text into one of the types that hold texts.
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

// typed puts a value into one of the types that hold any.
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

// free says why a server may refuse chunks that an operation writes; "" if it may not.
func free(o Operation) string {
	switch {
	case o.class == "nul":
		return "a NUL in a string"
	case o.class == unknown:
		return "a member that it doesn't know"
	case o.class == strange, o.class == lacking:
		return "a type that it doesn't know"
	}
	return ""
}

// encode writes JSON as it is: no character is escaped for HTML.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // strings, numbers and what is made of them
	}
	return bytes.TrimSpace(b.Bytes())
}

// alike are kinds of ids that a server may mix up. The first of each is the plain one.
var alike = map[string]func(base string) []string{
	"case":      func(b string) []string { return []string{b + ".abc", b + ".ABC", b + ".Abc", b + ".aBC"} },
	"prefix":    func(b string) []string { return []string{b + ".a", b + ".ab", b + ".", b + ".a-"} },
	"long":      func(b string) []string { return lengthy(b) },
	"trailing":  func(b string) []string { return []string{b + ".x", b + ".x ", b + ".x.", " " + b + ".x"} },
	"pattern":   func(b string) []string { return []string{b + ".xa", b + ".x*", b + ".x?", b + ".x[a]"} },
	"path":      func(b string) []string { return []string{b + ".p", b + ".p/q", b + ".p%2Fq", b + ".p/../p"} },
	"separator": func(b string) []string { return []string{b + ".s:1", b + ".s/1", b + ".s%3A1", b + ".s|1"} },
	"unicode":   func(b string) []string { return []string{b + ".\u00e9", b + ".e\u0301", b + ".\u00c9", b + ".ｅ"} },
	"tenant":    func(b string) []string { return []string{b + ":1", b + ":2", b + ":", b + ":1:2"} },
	"number":    func(b string) []string { return numeric(b) },
	"query":     func(b string) []string { return []string{b + ".q", b + ".q?a=1", b + ".q#a", b + ".q&a=1"} },
	"longer":    func(b string) []string { return sharing(b, 200) },
	"column":    func(b string) []string { return sharing(b, 255) },
	"longest":   func(b string) []string { return sharing(b, 1024) },
	"mixed":     func(b string) []string { return []string{b + ".:%*[", b + ".*:%[", b + ".[%:*", b + ".%[*:"} },
	"parameter": func(b string) []string { return []string{b + ".m", b + ".m;v=1", b + ".m;", b + ".m,"} },
	"slashed":   func(b string) []string { return []string{b + ".w", b + ".w/", b + ".w\\", b + ".w//"} },
	"quoted":    func(b string) []string { return []string{b + ".'q", b + ".\"q", b + ".`q", b + ".\\q"} },
	"emoji": func(b string) []string {
		return []string{b + ".\U0001f600", b + ".\U0001f601", b + ".\U0001f600\ufe0f", b + ".?"}
	},
	"underscore": func(b string) []string { return []string{b + ".a_b", b + ".a-b", b + ".a.b", b + ".a b"} },
	"extension":  func(b string) []string { return []string{b + ".n", b + ".n.json", b + ".n.txt", b + ".n.gz"} },
	"form":       func(b string) []string { return []string{b + ".a b", b + ".a+b", b + ".a%20b", b + ".a%2Bb"} },
	"hash":       func(b string) []string { return []string{b + ".AaAa", b + ".AaBB", b + ".BBAa", b + ".BBBB"} }, // has the same one in Java
	"compatible": func(b string) []string { return []string{b + ".fi2", b + ".\ufb012", b + ".fi\u00b2", b + ".fi\u2461"} },
	"unseen":     func(b string) []string { return []string{b + ".u", b + ".u\u200b", b + ".\ufeffu", b + ".u\u00ad"} },
}

// numeric ids are numbers, and one number to whoever reads them as such.
func numeric(base string) []string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(base)) // it never fails
	n := strconv.FormatUint(1e14+h.Sum64()%9e14, 10)
	return []string{n, "0" + n, n + ".0", n + "e0"}
}

// lengthy ids have 200 characters and differ at the end.
func lengthy(base string) []string {
	head := base + "." + strings.Repeat("x", max(0, 198-len(base)))
	return []string{head + "a", head + "b", head[:len(head)-1] + "ya", head + "A"}
}

// sharing are ids that share a prefix of n characters.
func sharing(base string, n int) []string {
	head := base + "." + strings.Repeat("y", max(0, n-1-len(base)))
	return []string{head + ".1", head + ".2", head + ".1.", head}
}

// reasoning is the reasoning of the nth chunk of a stream; ith says which of the operation it is.
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
