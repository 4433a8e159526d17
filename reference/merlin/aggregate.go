package merlin

import (
	"maps"
	"slices"
	"sync"
)

// Aggregate is the accumulated content of a stream. merlin.aggregate.members
type Aggregate struct {
	Content          []string       `json:"content"`             // texts in the order of the stream; never nil
	ReasoningContent []Reasoning    `json:"reasoningContent"`    // in the order of the stream; never nil
	Citations        []Citation     `json:"citations"`           // in the order of the stream; never nil
	ToolCalls        []ToolCall     `json:"toolCalls,omitempty"` // in the order of their indexes; set at the end
	Usage            map[string]any `json:"usage,omitempty"`     // of a member, the latest value

	calls map[int]*ToolCall // by their index
}

// ToolCall is a call assembled from its pieces. merlin.tools.shape
type ToolCall struct {
	Type     string   `json:"type"`     // always "function"
	Function Function `json:"function"` // arguments are concatenated pieces
	ID       string   `json:"id"`       // of its first piece
}

// Function is the tool of a call, with its arguments.
type Function struct {
	Name      string `json:"name"`      // of the first piece
	Arguments string `json:"arguments"` // as the model wrote them
}

// take collects everything but content. merlin.aggregate.reasoning, merlin.aggregate.signature, merlin.aggregate.collected
func (a *Aggregate) take(d Delta) {
	if d.Reasoning != nil {
		a.ReasoningContent = append(a.ReasoningContent, *d.Reasoning)
	}
	for _, part := range d.Calls { // merlin.tools.every
		a.call(part)
	}
	if d.Usage != nil { // merlin.aggregate.usage: the later value wins
		if a.Usage == nil {
			a.Usage = map[string]any{}
		}
		maps.Copy(a.Usage, d.Usage)
	}
}

// call starts a call or continues one. merlin.tools.assembled; merlin.tools.unknown: an entry that continues no call is
// dropped.
func (a *Aggregate) call(part CallPart) {
	if part.Type != nil {
		if a.calls == nil {
			a.calls = map[int]*ToolCall{}
		}
		a.calls[part.Index] = &ToolCall{"function", Function{part.Function.Name, part.Function.Arguments}, part.ID}
		return
	}
	if call := a.calls[part.Index]; call != nil {
		call.Function.Arguments += part.Function.Arguments
	}
}

// finish lists the calls in the order of the model, without those that have no arguments. merlin.tools.order,
// merlin.tools.empty
func (a *Aggregate) finish() {
	for _, index := range slices.Sorted(maps.Keys(a.calls)) {
		if call := a.calls[index]; call.Function.Arguments != "" {
			a.ToolCalls = append(a.ToolCalls, *call)
		}
	}
	if a.Content == nil {
		a.Content = []string{}
	}
	if a.ReasoningContent == nil {
		a.ReasoningContent = []Reasoning{}
	}
	if a.Citations == nil {
		a.Citations = []Citation{}
	}
}

// mostStreams limits the stored streams; the oldest are dropped.
const mostStreams = 1 << 12

// streams remembers streams by the names that their clients gave them.
type streams struct {
	mu    sync.Mutex             // guards all below
	known map[string]*remembered // by name; at most mostStreams
	order []string               // the keys of known, from the oldest
}

// remembered is the stored state of a stream: its barriers, and its aggregate once it is over.
type remembered struct {
	barriers map[string]chan struct{} // each closed once it is released
	released map[string]bool          // by name; they stay open
	total    *Aggregate               // nil before the end
}

// of calls f with the state of a stream; it is made if make_ is set. It reports whether there is one.
func (s *streams) of(name string, make_ bool, f func(*remembered)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]*remembered{}
	}
	r := s.known[name]
	if r == nil && make_ {
		r = &remembered{barriers: map[string]chan struct{}{}, released: map[string]bool{}}
		s.known[name] = r
		if s.order = append(s.order, name); len(s.order) > mostStreams {
			delete(s.known, s.order[0])
			s.order = s.order[1:]
		}
	}
	if r != nil {
		f(r)
	}
	return r != nil
}

// barrier returns the channel that opens a barrier.
func (r *remembered) barrier(name string) chan struct{} {
	if r.barriers[name] == nil {
		r.barriers[name] = make(chan struct{})
	}
	return r.barriers[name]
}

// release opens a barrier, once.
func (r *remembered) release(name string) {
	if !r.released[name] {
		r.released[name] = true
		close(r.barrier(name))
	}
}
