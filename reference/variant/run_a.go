package variant

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/runtime"
)

// said are other ways to say what models and tools do.
func said() []Variant {
	return append(saidByModels(), saidOfCalls()...)
}

func saidByModels() []Variant {
	return []Variant{{
		Name: "text-in-one-delta", Freedom: "a model's text",
		Summary: "All that a model says at once is one delta.",
		Apply: onPorts(func(p *runtime.Ports) {
			p.Pieces = func(text string) []string { return present(text) }
		}),
	}, {
		Name: "text-by-character", Freedom: "a model's text",
		Summary: "Each character is a delta.",
		Apply: onPorts(func(p *runtime.Ports) {
			p.Pieces = func(text string) []string { return strings.Split(text, "") }
		}),
	}, {
		Name: "empty-delta-closes-text", Freedom: "Q-23",
		Summary: "An empty delta says that a text is complete.",
		Warns:   []string{"helix.text.empty-delta"},
		Apply: onPorts(func(p *runtime.Ports) {
			inner := p.Pieces
			p.Pieces = func(text string) []string { return append(inner(text), "") }
		}),
	}, {
		Name: "thought-in-one-chunk", Freedom: "a block of reasoning",
		Summary: "A block of reasoning comes when it is complete.",
		Apply: onPorts(func(p *runtime.Ports) {
			p.Increments = func(string) []string { return nil }
		}),
	}, {
		Name: "thought-in-one-increment", Freedom: "a block of reasoning",
		Summary: "A block of reasoning comes as one increment and is repeated to complete it.",
		Apply: onPorts(func(p *runtime.Ports) {
			p.Increments = present
		}),
	}, {
		Name: "thought-completed-by-nothing", Freedom: "helix.thinking.content",
		Summary: "What completes a block of reasoning is empty.",
		Warns:   []string{"helix.thinking.whole-block"},
		Apply: onWritten(func(c runtime.Chunk) {
			if c.Type() == "thinking" && c["isComplete"] == true {
				c["content"] = ""
			}
		}),
	}, {
		Name: "unclassified-is-internal", Freedom: "an unclassified error",
		Summary: "An error that nobody has classified has the code framework_internal_error.",
		Apply: onWritten(func(c runtime.Chunk) {
			if c.Type() == "error" && c["code"] == nil {
				c["code"] = "framework_internal_error"
			}
		}),
	}, {
		Name: "stop-without-code", Freedom: "helix.errors.stop-reason",
		Summary: "The error that a stop reason means is one of the framework, whatever the reason.",
		Apply: onWritten(func(c runtime.Chunk) {
			if text, _ := c["error"].(string); c.Type() == "error" && strings.HasPrefix(text, "the model ") {
				c["code"] = "framework_internal_error"
			}
		}),
	}}
}

// denied is the text by which readers know a denied call.
const denied = "Tool call was not approved by the user"

func saidOfCalls() []Variant {
	return []Variant{{
		Name: "failed-call-with-result", Freedom: "a tool that failed",
		Summary: "The end of a failed call has a result, which is null.",
		Apply: onWritten(func(c runtime.Chunk) {
			if c.Type() == "tool_end" && c["success"] == false {
				c["result"] = nil
			}
		}),
	}, {
		Name: "tools-take-their-time", Freedom: "tools that run side by side",
		Summary: "A tool takes a few milliseconds, so that calls end in any order.",
		Apply: onPorts(func(p *runtime.Ports) {
			p.Tools = slowTools{p.Tools}
		}),
	}, {
		Name: "denied-as-result", Freedom: "a denied call",
		Summary: "A denied call ends well, and its result says that it was denied.",
		Apply: onWritten(func(c runtime.Chunk) {
			if c.Type() == "tool_end" && c["error"] == denied {
				delete(c, "error")
				c["success"], c["result"] = true, denied
			}
		}),
	}, {
		Name: "denied-within-more", Freedom: "a denied call",
		Summary: "A denied call ends with an object that says so, and with an error that says more.",
		Apply: onWritten(func(c runtime.Chunk) {
			if c.Type() == "tool_end" && c["error"] == denied {
				c["error"] = "Error: " + denied + ". Try something else."
				c["result"] = json.RawMessage(`{"denied":true,"content":[{"text":"` + denied + `"}]}`)
			}
		}),
	}, {
		Name: "asks-after-pausing", Freedom: "between content",
		Summary: "The request for approval follows the run_paused.",
		Apply:   onWriting(asksAfterPausing),
	}, {
		Name: "gated-call-starts-when-decided", Freedom: "helix.approval.request-members",
		Summary: "A call that needs consent is asked for first and begins when it was decided.",
		Apply:   onWriting(startsWhenDecided),
	}, {
		Name: "says-more-of-calls", Freedom: "any object",
		Summary: "What is said of calls, errors and outputs has members of the server's own.",
		Apply: onWritten(func(c runtime.Chunk) {
			switch c.Type() {
			case "tool_start", "tool_end", "tool_approval_request", "error", "output", "custom", "thinking", "text_delta":
				c["messageId"], c["metadata"] = "m-1", json.RawMessage(`{"toolCallId":"none","type":"text_delta"}`)
			}
		}),
	}}
}

// present is a text as the only piece of itself, and no piece if it is empty.
func present(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// slowTools take a little longer.
type slowTools struct{ runtime.Tools }

func (t slowTools) Execute(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error) {
	if err := pause(ctx, rand.N(5*time.Millisecond)); err != nil {
		return nil, context.Cause(ctx)
	}
	return t.Tools.Execute(ctx, c, env)
}

// onPorts changes the ports of the runtime. The function is called once for each server.
func onPorts(change func(*runtime.Ports)) apply {
	return func(o reference.Options) reference.Options {
		inner := o.Runtime
		o.Runtime = func(p runtime.Ports) runtime.Ports {
			p = inner(p)
			change(&p)
			return p
		}
		return o
	}
}

// onWritten changes each chunk that runs write.
func onWritten(change func(runtime.Chunk)) apply {
	return onWriting(func() writing {
		return func(chunks []runtime.Chunk) []runtime.Chunk {
			for _, c := range chunks {
				change(c)
			}
			return chunks
		}
	})
}

// writing changes what is written to one stream at once.
type writing = func([]runtime.Chunk) []runtime.Chunk

// onWriting changes what runs write. The function is called once for each stream.
func onWriting(begin func() writing) apply {
	return onPorts(func(p *runtime.Ports) {
		p.Journal = &rewriting{Journal: p.Journal, begin: begin, streams: map[string]writing{}}
	})
}

// rewriting is a journal that writes something else.
type rewriting struct {
	runtime.Journal
	begin func() writing

	mu      sync.Mutex
	streams map[string]writing
}

func (j *rewriting) Append(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
	j.mu.Lock()
	change := j.streams[w.Stream]
	if change == nil {
		change = j.begin()
		j.streams[w.Stream] = change
	}
	j.mu.Unlock()
	changed := change(chunks) // calls for one session come one after the other
	if len(changed) == 0 {
		return nil, nil
	}
	sequences, err := j.Journal.Append(ctx, w, changed)
	if more := len(sequences) - len(chunks); err == nil && more > 0 { // what was held back comes first
		sequences = sequences[more:]
	}
	return sequences, err
}

// asksAfterPausing holds a request for approval back until the run has paused, or goes on in another branch.
func asksAfterPausing() writing {
	var asked []runtime.Chunk
	return func(chunks []runtime.Chunk) []runtime.Chunk {
		if at := slices.IndexFunc(chunks, isRequest); at >= 0 {
			asked = append(asked, chunks[at])
			return slices.Delete(chunks, at, at+1)
		}
		late := asked
		asked = nil
		for _, c := range late {
			c["timestamp"] = chunks[0]["timestamp"]
		}
		if len(chunks) == 1 && chunks[0].Type() == "run_paused" {
			return append(chunks, late...)
		}
		return append(late, chunks...)
	}
}

// startsWhenDecided holds the start of a call that needs consent back until the call ends.
func startsWhenDecided() writing {
	held := map[any]runtime.Chunk{}
	return func(chunks []runtime.Chunk) []runtime.Chunk {
		if slices.ContainsFunc(chunks, isRequest) {
			at := slices.IndexFunc(chunks, func(c runtime.Chunk) bool { return c.Type() == "tool_start" })
			held[chunks[at]["toolCallId"]] = chunks[at]
			return slices.Delete(chunks, at, at+1)
		}
		start := held[chunks[0]["toolCallId"]]
		if start == nil || chunks[0].Type() != "tool_end" {
			return chunks
		}
		start["timestamp"] = chunks[0]["timestamp"]
		return append([]runtime.Chunk{start}, chunks...)
	}
}

func isRequest(c runtime.Chunk) bool { return c.Type() == "tool_approval_request" }
