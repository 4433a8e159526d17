package helix

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// chunk lists the variants of chunk.
func chunk() []Variant {
	return []Variant{
		// These are other reasons to refuse one.
		{Name: "unknown-types-refused", Freedom: "decision 2",
			Summary: "A chunk of a type that the server doesn't know is refused.",
			Apply: onValidate(func(members alter.Object) error {
				if _, known := typeMembers()[members.Text("type")]; !known {
					return &helix.InvalidChunk{Member: "/type", Reason: "this type is not known"}
				}
				return nil
			})},
		{Name: "unknown-members-refused", Freedom: "helix.chunks.unknown-members",
			Summary: "A chunk of a known type with a member that the server doesn't know is refused.",
			Apply: onValidate(func(members alter.Object) error {
				own, known := typeMembers()[members.Text("type")]
				if !known {
					return nil
				}
				for name := range members {
					if !slices.Contains(own, name) && !slices.Contains(commonMembers(), name) {
						return &helix.InvalidChunk{Member: "/" + name, Reason: "this member is not known"}
					}
				}
				return nil
			})},
		{Name: "halves-refused", Freedom: "helix.chunks.strings-exact",
			Summary: "A chunk with half of a surrogate pair in a string is refused, as by stores that keep text as UTF-8.",
			Apply: onValidate(func(members alter.Object) error {
				for name, value := range members {
					if bytes.ContainsRune(value, '\ufffd') || bytes.Contains(value, []byte(`\ud83d"`)) {
						return &helix.InvalidChunk{Member: "/" + name, Reason: "half of a surrogate pair is no text"}
					}
				}
				return nil
			})},

		// These are other ways to treat its members.
		{Name: "unknown-members-dropped", Freedom: "helix.chunks.unknown-members",
			Summary: "A chunk of a known type is validated into a structure of the members that the server knows.",
			Apply: onChunks(func(members alter.Object) {
				own, known := typeMembers()[members.Text("type")]
				for name := range members {
					if known && !slices.Contains(own, name) && !slices.Contains(commonMembers(), name) {
						delete(members, name)
					}
				}
			})},
		{Name: "adds-to-chunks", Freedom: "helix.chunks.unknown-members",
			Summary: "Every chunk gets a member of the server's own, which no schema knows.",
			Apply:   onChunks(func(members alter.Object) { members["storedBy"] = json.RawMessage(`{"node":1}`) })},
		{Name: "missing-members-completed", Freedom: "C-H-01",
			Summary: "The server fills in what a chunk lacks and it knows: who writes, the time, and the step that the writer " +
				"was in.",
			Wrap: completing},
		{Name: "refusal-without-member", Freedom: "helix.chunks.invalid-refused",
			Summary: "A bad chunk is refused with 422 and no word on what is wrong with it.",
			Wrap: alter.AnswersTo(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/chunks") }).
				When(alter.Status(http.StatusBadRequest)).
				Replace(http.StatusUnprocessableEntity, "application/json", `{"error":"unprocessable"}`)},
		{Name: "arrays-by-chunk", Freedom: "decision 54", Without: []string{"arrays"},
			Summary: "The store takes one chunk at a time, so an array is stored chunk by chunk up to the first that is refused.",
			Wrap: alter.OnRequests(func(r *http.Request) bool {
				return alter.IsControl(r) && r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chunks") && r.ContentLength <= longest
			}, writesByChunk)},
	}
}

// writesByChunk makes a write of each chunk of an array, and answers with all sequences or the first refusal.
func writesByChunk(next http.Handler, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, longest))
	var array []json.RawMessage
	if err != nil || json.Unmarshal(body, &array) != nil || len(array) == 0 {
		alter.SetBody(r, body)
		next.ServeHTTP(w, r)
		return
	}
	var all struct {
		Sequences []int64 `json:"sequences"`
	}
	for _, chunk := range array {
		answer := alter.CallAs(next, r, r.Method, r.URL.RequestURI(), chunk)
		var one struct{ Sequences []int64 }
		if answer.Code != http.StatusCreated || json.Unmarshal(answer.Body.Bytes(), &one) != nil {
			http.Error(w, answer.Body.String(), answer.Code)
			return
		}
		all.Sequences = append(all.Sequences, one.Sequences...)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(all)
}

// onChunks changes the chunks that are stored.
func onChunks(change func(members alter.Object)) apply {
	return on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
		for i := range chunks {
			members := alter.Members(chunks[i].JSON)
			change(members)
			chunks[i].JSON = alter.Encode(members)
		}
		return chunks
	})
}

// onValidate checks the chunks that are valid once more.
func onValidate(check func(members alter.Object) error) apply {
	return func(o reference.Options) reference.Options {
		inner := o.Validate
		o.Validate = func(chunk []byte) error {
			if err := inner(chunk); err != nil {
				return err
			}
			var members alter.Object
			if err := json.Unmarshal(chunk, &members); err != nil {
				return fmt.Errorf("reading a chunk: %w", err)
			}
			return check(members)
		}
		return o
	}
}

func commonMembers() []string {
	return []string{"type", "agentId", "agentType", "timestamp", "step", "runId"}
}

// typeMembers returns the members of each known chunk type, in addition to the common members.
func typeMembers() map[string][]string {
	return map[string][]string{
		"text_delta":          {"delta"},
		"thinking":            {"content", "isComplete"},
		"tool_start":          {"toolCallId", "toolName", "arguments"},
		"tool_end":            {"toolCallId", "toolName", "success", "result", "error"},
		"subagent_start":      {"subAgentType", "subSessionId", "callId"},
		"subagent_end":        {"subAgentType", "subSessionId", "callId", "result"},
		"custom":              {"eventName", "data"},
		"state_patch":         {"patches"},
		"error":               {"error", "recoverable", "code"},
		"output":              {"output"},
		"run_interrupted":     {"checkpointId", "reason"},
		"run_resumed":         {"fromCheckpointId", "fromStepCount", "mode"},
		"run_paused":          {"reason", "pendingToolName", "pendingToolCallId"},
		"checkpoint_created":  {"checkpointId", "stepCount"},
		"executor_superseded": {"reason"},
		"step_committed":      {"stepId", "checkpointId"},
		"step_discarded":      {"stepId", "reason"},
		"stream_resync":       {"checkpointId", "stepCount", "messageCount", "fromSequence", "reason"},
	}
}

// author contains the agent and step that a writer has named.
type author struct {
	AgentID   string `json:"agentId"`
	AgentType string `json:"agentType"`
	step      json.RawMessage
}

// completer remembers who writes.
type completer struct {
	next http.Handler

	mu      sync.Mutex
	authors map[string]*author // by the path of the writer
}

func completing(next http.Handler) http.Handler {
	return &completer{next: next, authors: map[string]*author{}}
}

// longest is the longest body that is looked into.
const longest = 1 << 20

func (c *completer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	opens := strings.HasSuffix(r.URL.Path, "/writers")
	writer, writes := strings.CutSuffix(r.URL.EscapedPath(), "/chunks")
	if !alter.IsControl(r) || r.Method != http.MethodPost || !opens && !writes || r.ContentLength > longest {
		c.next.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, longest))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if opens {
		w = c.opening(w, r.URL.EscapedPath(), body)
	} else {
		body = c.complete(writer, body)
	}
	alter.SetBody(r, body)
	c.next.ServeHTTP(w, r)
}

// opening notes the author under the id that the writer gets.
func (c *completer) opening(w http.ResponseWriter, path string, body []byte) http.ResponseWriter {
	return &alter.Response{ResponseWriter: w, Send: func(w http.ResponseWriter, p []byte) error {
		var answer struct {
			WriterID string `json:"writerId"`
		}
		var a author
		if json.Unmarshal(p, &answer) == nil && json.Unmarshal(body, &a) == nil {
			c.mu.Lock()
			c.authors[path+"/"+answer.WriterID] = &a
			c.mu.Unlock()
		}
		_, err := w.Write(p)
		return err
	}}
}

// complete completes the chunks of a body. The server refuses invalid JSON.
func (c *completer) complete(writer string, body []byte) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.authors[writer]
	var array []json.RawMessage
	if a == nil || !json.Valid(body) {
		return body
	}
	if json.Unmarshal(body, &array) != nil {
		return a.complete(body)
	}
	for i := range array {
		array[i] = a.complete(array[i])
	}
	return slices.Concat([]byte("["), bytes.Join(raws(array), []byte(",")), []byte("]"))
}

func raws(array []json.RawMessage) [][]byte {
	out := make([][]byte, len(array))
	for i := range array {
		out[i] = array[i]
	}
	return out
}

// complete adds missing members to a chunk.
func (a *author) complete(chunk []byte) []byte {
	var members alter.Object
	if json.Unmarshal(chunk, &members) != nil || len(members) == 0 {
		return chunk
	}
	if step, ok := members["step"]; ok {
		a.step = step
	}
	out := bytes.TrimSuffix(bytes.TrimSpace(slices.Clone(chunk)), []byte("}"))
	add := func(name string, value any) {
		if _, ok := members[name]; !ok {
			text, err := json.Marshal(value)
			if err != nil { // strings and numbers can be written
				panic(err)
			}
			out = fmt.Appendf(out, ",%q:%s", name, text)
		}
	}
	add("agentId", a.AgentID)
	add("agentType", a.AgentType)
	add("timestamp", time.Now().UnixMilli())
	if slices.Contains([]string{"error", "subagent_start", "subagent_end"}, members.Text("type")) && a.step != nil {
		add("step", a.step)
	}
	return append(out, '}')
}
