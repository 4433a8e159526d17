package helix

import (
	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// callRules are the rules of tools and approval.
type callRules struct {
	*judge.Base
	past *fold.Fold // the stream before the chunk that is judged

	started judge.Seen // calls, by agent and id, and by id alone
	ended   judge.Seen // likewise
}

// toolStart judges the start of a call. It reports whether the agent has surely not used the id before.
func (r *callRules) toolStart(c *producedChunk) (first bool) {
	id := c.word("toolCallId")
	if !id.OK {
		return false
	}
	key := c.Agent.CallKey(id)
	before := r.started.Ever(key)
	r.Unique(toolsUniqueID, c.position(), &r.started, key, "a tool call begins with an id that its agent has used before",
		"an id of its own", id.Shown)
	first = !before && !r.started.Lost()
	r.started.Add(id.Hash)
	return first
}

// restarted releases the ids of calls: their earlier uses are obsolete.
func (r *callRules) restarted() {
	r.started.Age()
	r.ended.Age()
}

// toolEnd compares the end of a call with the open call of its agent, or of another agent that made it.
func (r *callRules) toolEnd(c *producedChunk) {
	r.success(c)
	id, h := c.word("toolCallId"), r.past
	if !id.OK {
		return
	}
	key := c.Agent.CallKey(id)
	open, ok := h.CallOf(c.Agent, id)
	if !ok {
		open, ok = r.called(id)
	}
	if ok {
		r.ends(c, open)
	} else {
		r.endsNothing(c, id, key)
	}
	r.ended.Add(key)
	r.ended.Add(id.Hash)
}

// called returns the oldest open call of that id, of any agent.
func (r *callRules) called(id judge.Word) (*fold.Call, bool) {
	if !r.started.Ever(id.Hash) && !r.started.Lost() {
		return nil, false // without comparing each
	}
	return r.past.CallNamed(id)
}

// ends compares the end of a call with its start.
func (r *callRules) ends(c *producedChunk, open *fold.Call) {
	r.ended.Add(open.Key())
	r.Saw(toolsStartFirst)
	r.Saw(toolsEndOnce)
	r.Same(toolsSameAgent, c.position(), "a tool call is ended by another agent than the one that made it",
		judge.Word{Hash: open.Agent, Start: open.By, OK: true}, c.Agent.Word())
	r.Same(toolsSameName, c.position(), "a tool call ends with another tool's name", open.Name, c.word("toolName"))
	if c.Time.OK {
		r.Ascends(toolsClock, c.position(), judge.Order{
			Message: "a tool call ends before it began", Want: "a timestamp of at least %d", Equal: true,
		}, open.Time, c.Time.N)
	}
}

func toolBrackets() judge.Brackets {
	return judge.Brackets{
		Paired: toolsStartFirst, Once: toolsEndOnce, Closed: toolsEnded, Start: "tool_start", End: "tool_end",
		NeverBegan: "a tool call ends that never began", Twice: "a tool call ends twice",
		LeftOpen: "the stream ends while a tool call is open", Missing: "a tool_end for %s", Open: "none; %d open in all",
	}
}

// endsNothing judges an end whose call isn't open. The call may have been dropped, or started before the response.
func (r *callRules) endsNothing(c *producedChunk, id judge.Word, key uint64) {
	h := r.past
	again := r.ended.Now(key) || h.Complete() && r.ended.Now(id.Hash) && !r.started.Ever(key)
	unknown := r.started.Ever(key) || r.ended.Ever(key) || r.started.Lost() || r.ended.Lost() || !h.Complete()
	r.Unopened(toolBrackets(), c.position(), again, !unknown, id.Start)
}

// success checks that a call either succeeded or gives the reason if not.
func (r *callRules) success(c *producedChunk) {
	success, isFlag := c.members["success"].(bool)
	text, isText := c.members["error"].(string)
	if !isFlag || !isText && c.members["error"] != nil {
		return
	}
	r.Saw(toolsOutcome)
	switch {
	case success && text != "":
		r.Violation(toolsOutcome, c.position(), "a call that succeeded has an error", "no error", judge.Show(text))
	case !success && text == "":
		r.Violation(toolsOutcome, c.position(), "a call that failed doesn't say why",
			"a text in error", judge.Show(c.members["error"]))
	}
}

// callsEnded finds calls that are open when the stream ends well.
func (r *callRules) callsEnded(f *wire.Frame) {
	h := r.past
	oldest, _ := h.Calls.Oldest()
	r.AllClosed(toolBrackets(), judge.At(f), r.ended.Any(), h.Calls.Len(), func() string { return oldest.ID.Start })
	for _, a := range h.ApprovalRequests.All() {
		r.Saw(approvalRequestMembers)
		r.Violation(approvalRequestMembers, a.At, "a request for approval names a call that never comes",
			"a tool_start or tool_end for it", "none for "+judge.Show(a.ID.Start))
	}
}

// approval records a request for approval of a call that hasn't started. If the call never comes, callsEnded reports it.
func (r *callRules) approval(c *producedChunk) {
	id, h := c.word("toolCallId"), r.past
	if !id.OK || !h.Complete() || r.started.Lost() || r.started.Ever(id.Hash) {
		return
	}
	h.ApprovalRequests.Put(id.Hash, fold.ApprovalRequest{Agent: c.Agent.Key, ID: id, At: c.position()})
}
