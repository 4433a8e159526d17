package merlin

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// rareEvents lists the mutants that some events, sources, indexes or readers show.
func rareEvents() []Mutant {
	return []Mutant{
		// These err with events of the model that wait, come twice or hold several things at once.
		{Name: "who-stops-thought-nothing", Requirement: "merlin.failure.stopped-partial", Stateful: true, Summary: "Of a request that was stopped the text is stored, and no thought.",
			Apply: on.Totals(func(c *merlin.RunState, total *merlin.Aggregate) {
				if c.Stopped {
					total.ReasoningContent = []merlin.Reasoning{}
				}
			})},
		{Name: "who-goes-on-is-heard", Requirement: "merlin.chunks.suppressed", Stateful: true, Summary: "An agent that goes on in a stream that is suppressed is sent.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Handoff != "" }).EditIn(func(c *merlin.RunState, _ *merlin.Instruction) { c.Start.Suppress = false })},

		// Mutants that err with empty values, and with rare forms of steps and ids.
		{Name: "results-that-are-empty", Requirement: "merlin.subagents.same", Summary: "A result is left out of its message where it is empty.",
			Apply: on.Events(on.Results(true), on.If(func(e merlin.Event) bool {
				result, _ := e.Data["toolCallResult"].(on.Object)
				return result["result"] == ""
			})).Edit(func(e *merlin.Event) {
				result := maps.Clone(e.Data["toolCallResult"].(on.Object))
				delete(result, "result")
				on.Set("toolCallResult", result)(e)
			})},
		{Name: "steps-of-a-suppressed-stream", Requirement: "merlin.progress.created", Summary: "A stream that is suppressed shows no steps either.",
			Apply: on.Events(on.Typed("progress"), on.For(func(c *merlin.RunState) bool { return c.Start.Suppress })).Drop()},
		{Name: "latest-that-is-open", Requirement: "merlin.progress.latest", Stateful: true, Also: []string{"merlin.progress.latest-new"},
			Summary: "The latest step of a name is looked for among those that are done, and the newest.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Step != nil && a.Step.Step != "" }).EditSequence(func(*merlin.RunState) func(*merlin.Instruction) {
				done, newest := map[string]bool{}, ""
				return func(a *merlin.Instruction) {
					st := *a.Step
					if st.Do == "latest" && !done[st.Step] && st.Step != newest {
						st.Do = "create"
					}
					if done[st.Step] = done[st.Step] && st.Do != "latest" || st.Do == "end"; st.Do == "create" {
						newest = st.Step
					}
					a.Step = &st
				}
			})},

		// Mutants that err with the bytes of the model, and with its usage.
		{Name: "usage-of-the-stream-before", Requirement: "merlin.aggregate.usage", Stateful: true, Summary: "A stream whose model says no usage has that of the stream before.",
			Apply: func(o merlin.Options) merlin.Options {
				var mu sync.Mutex
				var latest map[string]any
				return on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
					mu.Lock()
					defer mu.Unlock()
					if total.Usage == nil {
						total.Usage = latest
					}
					latest = total.Usage
				})(o)
			}},

		// Mutants that err with events of the model that something else accompanies: another line end, or a
		// sub-agent.
		{Name: "line-ends-of-one-kind", Requirement: "merlin.upstream.cut", Also: []string{"merlin.slices.complete", "merlin.chunks.complete", "merlin.upstream.noise"},
			Summary: "Where a piece has a blank line of line feeds, one that has carriage returns before it ends no event.",
			Apply: on.Pieces().Edit(func(piece *[]byte) {
				last := bytes.LastIndex(*piece, []byte("\n\n"))
				if last > 0 {
					*piece = append(bytes.ReplaceAll((*piece)[:last:last], []byte("\r\n\r\n"), []byte("\r\n")), (*piece)[last:]...)
				}
			})},

		// These err with indexes that are large, or missing.
		{Name: "zero-is-not-asked-for", Requirement: "merlin.index.unchanged", Summary: "Whoever asks for the index 0 is taken to ask for none.",
			Apply: func(o merlin.Options) merlin.Options {
				inner := o.Index
				return on.Index(func(s merlin.Start) int {
					if s.ContentIndex != nil && *s.ContentIndex == 0 {
						s.ContentIndex = nil
					}
					return inner(s)
				})(o)
			}},

		// These err with sources that are many or alike, and with texts of them that are.
		{Name: "ten-sources", Requirement: "merlin.citations.attachments", Summary: "Of the sources ten are sent.",
			Apply: onPayload(func(sources []any) []any { return sources[:min(10, len(sources))] })},
		{Name: "sources-by-url-and-title", Requirement: "merlin.citations.documents", Summary: "Two attachments that are equal are one source.",
			Apply: oneOf(func(url, title string) string { return url + "\n" + title })},
		{Name: "citations-wait-in-a-row", Requirement: "merlin.citations.moment", Summary: "A citation waits for those that the model said before it, whatever its index.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Citation != nil && d.Content == "" }).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				highest := 0
				return func(d *merlin.Delta) {
					highest = max(highest, d.Index)
					d.Index = highest
				}
			})},

		// Mutants that err with readers that leave or accept compression, and with the state after a stream.
		{Name: "who-leaves-stops-the-latest", Requirement: "merlin.wire.end-last", Also: []string{"merlin.slices.complete", "merlin.chunks.complete", "merlin.wire.live"}, Stateful: true,
			Summary: "A client that leaves ends the stream that began last.", Wrap: stopsTheLatest()},
	}
}

// oneOf merges attachments of the web with an equal member into one source.
func oneOf(member func(url, title string) string) on.Apply {
	return on.Begins(func(c *merlin.RunState) {
		seen := map[string]bool{}
		c.Start.Attachments = slices.DeleteFunc(slices.Clone(c.Start.Attachments), func(raw json.RawMessage) bool {
			var a struct{ Type, URL, Title string }
			_ = json.Unmarshal(raw, &a) // it was read
			of := member(a.URL, a.Title)
			twice := a.Type == "web" && seen[of]
			seen[of] = seen[of] || a.Type == "web"
			return twice
		})
	})
}

// isRequest reports whether a request asks for a stream.
func isRequest(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/merlin/") }

// stopsTheLatest has a client that leaves end the stream that began last.
func stopsTheLatest() alter.Around {
	return func(next http.Handler) http.Handler {
		var mu sync.Mutex
		var latest context.CancelFunc
		return alter.OnRequests(isRequest, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			mu.Lock()
			latest = cancel
			mu.Unlock()
			defer context.AfterFunc(r.Context(), func() {
				mu.Lock()
				defer mu.Unlock()
				latest()
			})()
			next.ServeHTTP(w, r.WithContext(ctx))
		})(next)
	}
}
