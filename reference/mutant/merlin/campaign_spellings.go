package merlin

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

var (
	// dataBeforeComment matches the data of an event and the beginning of a comment after it.
	dataBeforeComment = regexp.MustCompile(`(?m)^data: .*\n(: )`)
	// reasoningWithEmptyText matches an empty text and the reasoning in the same event.
	reasoningWithEmptyText = regexp.MustCompile(`"content":"",("index":\d+,)?"reasoning":\{"text":"([^"]*)"`)
	// contentBegins matches the beginning of a content, and the white space at the content's beginning.
	contentBegins = regexp.MustCompile(`"content":"(?: |\\n)+`)
	// bareFunction matches a function that has only a name.
	bareFunction = regexp.MustCompile(`"function":\{"name":"[^"]*"\}`)
)

// anyText lists the requirements that a lost text violates, and otherText those that another text violates, in addition to
// merlin.chunks.complete.
var (
	anyText   = []string{"merlin.slices.complete", "merlin.upstream.noise", "merlin.failure.kept"}
	otherText = []string{"merlin.slices.complete", "merlin.chunks.per-delta", "merlin.failure.kept"}
)

// without has events be lost whose bytes hold something.
func without(what string) on.Apply {
	return on.Pieces().Edit(func(piece *[]byte) {
		if bytes.Contains(*piece, []byte(what)) {
			*piece = []byte(": nothing\n\n")
		}
	})
}

// spellings err with events that are written otherwise than most, and with members that say nothing.
func spellings() []Mutant {
	return []Mutant{
		{Name: "comments-end-the-data", Requirement: "merlin.chunks.complete", Also: anyText, Summary: "What an event has before a comment in it is lost.",
			Apply: on.Pieces().Edit(func(piece *[]byte) { *piece = dataBeforeComment.ReplaceAll(*piece, []byte("$1")) })},
		{Name: "names-without-escapes", Requirement: "merlin.chunks.complete", Also: anyText, Summary: "An event is read if its bytes have the name of what is read in it, as it is.",
			Apply: without(`"\u0064elta"`)},
		{Name: "errors-of-null", Requirement: "merlin.chunks.complete", Also: anyText, Summary: "An event that has a member error is one, though that is null.", Apply: without(`"error":null`)},
		{Name: "thoughts-for-empty-texts", Requirement: "merlin.chunks.complete", Also: []string{"merlin.slices.no-reasoning", "merlin.slices.complete", "merlin.failure.kept"},
			Summary: "Where a text is empty, what the model thinks beside it stands in for it.",
			Apply: on.Pieces().Edit(func(piece *[]byte) {
				*piece = reasoningWithEmptyText.ReplaceAll(*piece, []byte(`"content":"$2",$1"reasoning":{"text":"$2"`))
			})},
		{Name: "signatures-take-a-text-along", Requirement: "merlin.chunks.complete", Also: anyText, Summary: "An event whose thought is a signature alone is left out with its text.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Reasoning != nil && d.Reasoning.Text == "" }).Edit(func(d *merlin.Delta) { d.Content = "" })},
		{Name: "calls-without-arguments-at-first", Requirement: "merlin.tools.assembled", Summary: "A call that begins without the member arguments is no call.",
			Apply: on.Pieces().Edit(func(piece *[]byte) {
				if bareFunction.Match(*piece) {
					*piece = []byte(": nothing\n\n")
				}
			})},
		{Name: "stray-entries-end-an-event", Requirement: "merlin.tools.every", Also: []string{"merlin.tools.assembled"}, Summary: "What an event has behind an entry that goes on with no call is left out.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return len(d.Calls) > 1 }).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				known := map[int]bool{}
				return func(d *merlin.Delta) {
					for i, part := range d.Calls {
						if known[part.Index] = known[part.Index] || part.Type != nil; !known[part.Index] {
							d.Calls = d.Calls[:i]
							return
						}
					}
				}
			})},
		{Name: "lines-of-8-kib-in-pieces", Requirement: "merlin.upstream.cut", Also: []string{"merlin.tools.every", "merlin.chunks.complete", "merlin.slices.complete"},
			Summary: "A line that comes in pieces has room for 8 KiB.",
			Apply: on.Pieces().EditSequence(func(*merlin.RunState) func(*[]byte) {
				open := 0
				return func(piece *[]byte) {
					if at := bytes.LastIndexByte(*piece, '\n'); at >= 0 {
						open = len(*piece) - at - 1
					} else if open += len(*piece); open > 8<<10 {
						*piece = nil
					}
				}
			})},
	}
}

// splitPoints lists mutants that err with a sequence that is split over two texts, at their beginning or at their end.
func splitPoints() []Mutant {
	texts := on.Deltas(func(d merlin.Delta) bool { return d.Content != "" })
	return []Mutant{
		{Name: "line-ends-across-texts", Requirement: "merlin.chunks.complete", Also: otherText, Summary: "A line feed behind a text that ends with a carriage return is left out.",
			Apply: texts.EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				returned := false
				return func(d *merlin.Delta) {
					ends := strings.HasSuffix(d.Content, "\r")
					if returned {
						d.Content = strings.TrimPrefix(d.Content, "\n")
					}
					returned = ends
				}
			})},
		{Name: "replacements-at-the-end", Requirement: "merlin.chunks.complete", Also: otherText, Summary: "A replacement character at the end of a text is taken for a character that was cut.",
			Apply: on.Pieces().Edit(func(piece *[]byte) { *piece = bytes.ReplaceAll(*piece, []byte("\ufffd\""), []byte(`"`)) })},
		{Name: "agents-are-trimmed", Requirement: "merlin.chunks.complete", Also: otherText, Summary: "The first text of an agent that goes on loses the white space at its beginning.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Handoff != "" || a.Delta != nil }).EditSequence(func(*merlin.RunState) func(*merlin.Instruction) {
				first := false
				return func(a *merlin.Instruction) {
					var d struct{ Content string }
					switch {
					case a.Handoff != "":
						first = true
					case first && json.Unmarshal(a.Delta, &d) == nil && d.Content != "":
						first = false
						a.Delta = contentBegins.ReplaceAll(a.Delta, []byte(`"content":"`))
					}
				}
			})},
		{Name: "blank-texts-begin-nothing", Requirement: "merlin.citations.moment", Also: anyText, Summary: "A text of white space is no moment for the citations that wait for it.",
			Apply: texts.EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				latest := 0
				return func(d *merlin.Delta) {
					if strings.TrimSpace(d.Content) == "" && d.Index > latest {
						d.Index = latest
					}
					latest = max(latest, d.Index)
				}
			})},
	}
}

// repetitions lists mutants that err with output that is repeated in another form, by another agent or on the same
// connection.
func repetitions() []Mutant {
	return []Mutant{
		{Name: "sent-texts-are-trimmed", Requirement: "merlin.citations.same-number", Also: []string{"merlin.citations.mark", "merlin.citations.attachments", "merlin.aggregate.citations"},
			Summary: "A text that is cited is taken for one whose mark was sent that differs by white space.", Apply: takenForSent},
		{Name: "tags-of-a-step-once", Requirement: "merlin.progress.tags", Also: []string{"merlin.progress.values", "merlin.progress.tags-kept", "merlin.progress.reopened"}, Summary: "A tag that a step has isn't added again.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Step != nil && a.Step.Do == "tags" }).EditSequence(func(*merlin.RunState) func(*merlin.Instruction) {
				known := map[string][]string{}
				return func(a *merlin.Instruction) {
					st := *a.Step
					st.Tags = slices.DeleteFunc(slices.Clone(st.Tags), func(tag string) bool { return slices.Contains(known[st.Step], tag) })
					known[st.Step] = append(known[st.Step], st.Tags...)
					a.Step = &st
				}
			})},
		{Name: "arguments-that-are-whole", Requirement: "merlin.tools.assembled", Summary: "Arguments that are JSON once a piece was added are whole, and what follows is left out.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return len(d.Calls) > 0 }).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				all, whole := map[int]string{}, map[int]bool{}
				return func(d *merlin.Delta) {
					d.Calls = slices.Clone(d.Calls)
					for i, part := range d.Calls {
						if part.Type != nil {
							all[part.Index], whole[part.Index] = part.Function.Arguments, false
						} else if whole[part.Index] {
							d.Calls[i].Function.Arguments = ""
						} else if all[part.Index] += part.Function.Arguments; strings.TrimSpace(part.Function.Arguments) != "" {
							whole[part.Index] = json.Valid([]byte(all[part.Index]))
						}
					}
				}
			})},
		{Name: "sub-agents-call-for-their-agent", Requirement: "merlin.tools.assembled", Summary: "Pieces of a call that come of a sub-agent's model are added to the agent's call.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.SubAgent != nil }).To(func(_ *merlin.RunState, a merlin.Instruction) []merlin.Instruction {
				calls := slices.DeleteFunc(slices.Clone(a.SubAgent.Instructions), func(a merlin.Instruction) bool { return !bytes.Contains(a.Delta, []byte("tool_calls")) })
				return append([]merlin.Instruction{a}, calls...)
			})},
		{Name: "suppressed-connections", Requirement: "merlin.chunks.complete", Also: []string{"merlin.slices.complete", "merlin.wire.live", "merlin.citations.moment"}, Stateful: true,
			Summary: "A stream that doesn't say whether it is suppressed is so where the one before it on its connection was.", Wrap: stickySuppression},
	}
}

// takenForSent has a text that is cited be taken for one of the same document whose mark was sent, but for white space around it.
func takenForSent(o merlin.Options) merlin.Options {
	return on.Deltas(nil).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
		sent := map[merlin.Citation]string{}
		waits := map[merlin.Citation]int{}
		return func(d *merlin.Delta) {
			for c, index := range waits {
				if d.Content == "" || d.Index <= index {
					continue
				}
				if of := (merlin.Citation{Document: c.Document, Text: strings.TrimSpace(c.Text)}); sent[of] == "" {
					sent[of] = c.Text
				}
				delete(waits, c)
			}
			if d.Citation == nil {
				return
			}
			cited := *d.Citation
			if first := sent[merlin.Citation{Document: cited.Document, Text: strings.TrimSpace(cited.Text)}]; first != "" {
				cited.Text = first
			}
			waits[cited], d.Citation = d.Index, &cited
		}
	})(o)
}

// stickySuppression has a connection remember that a stream was suppressed.
func stickySuppression(next http.Handler) http.Handler {
	var suppressed sync.Map // by the address of the client
	return alter.OnRequests(isRequest, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if bytes.Contains(body, []byte(`"suppress":true`)) {
			suppressed.Store(r.RemoteAddr, true)
		} else if _, is := suppressed.Load(r.RemoteAddr); is {
			body = bytes.Replace(body, []byte(`"conformance":{`), []byte(`"conformance":{"suppress":true,`), 1)
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		next.ServeHTTP(w, r)
	})(next)
}
