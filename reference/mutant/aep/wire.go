package aep

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

func wire() []Mutant {
	return slices.Concat(wireEvents(), wireNames(), wireBytes(), wireTimes(), wireHeartbeats(), wireCursors(), wireHeads())
}

// wireEvents get the data of events wrong.
func wireEvents() []Mutant {
	return []Mutant{{
		Name: "says-done-as-others-do", Requirement: "aep.wire.json",
		Summary: "The body closes with data: [DONE], as other services do it.",
		Also:    []string{"aep.flow.terminal-last", "aep.wire.named"},
		Apply: seams.OnBytes(func(aep.Request) func([]byte, aep.Event) []byte {
			return func(whole []byte, e aep.Event) []byte {
				if e.Kind.Terminal() {
					whole = append(whole, "data: [DONE]\n\n"...)
				}
				return whole
			}
		}),
	}, {
		Name: "start-and-delta-in-one-event", Requirement: "aep.wire.json", Stateful: true,
		Summary: "From the second block on, the start and the first delta share an event, one value after the other.",
		Also:    []string{"aep.stages.start-first", "aep.done.complete", "aep.content.text"},
		Apply:   joinsValues,
	}, {
		Name: "pretty-printed", Requirement: "aep.wire.single-data-line",
		Summary: "Events are printed for people, indented.",
		Apply: onBlocks(always(func(aep.Event) bool { return true }), func(b *alter.Block, _ aep.Event) {
			var pretty bytes.Buffer
			if json.Indent(&pretty, []byte(b.Data[0]), "", "  ") == nil {
				b.Data = strings.Split(pretty.String(), "\n")
			}
		}),
	}, {
		Name: "last-event-without-blank-line", Requirement: "aep.wire.blank-line",
		Summary: "Events are joined by blank lines instead of followed by them.",
		Also:    []string{"aep.flow.terminal"},
		Apply: seams.OnBytes(func(aep.Request) func([]byte, aep.Event) []byte {
			return func(whole []byte, e aep.Event) []byte {
				if e.Kind.Terminal() {
					return bytes.TrimSuffix(whole, []byte("\n"))
				}
				return whole
			}
		}),
	}}
}

// joinsValues holds the start of a later block back, to send it with what follows.
func joinsValues(o aep.Options) aep.Options {
	return seams.OnBytes(func(aep.Request) func([]byte, aep.Event) []byte {
		starts, held := 0, ""
		return func(whole []byte, e aep.Event) []byte {
			b := alter.ParseBlock(whole)
			if e.Stage == aep.Start {
				if starts++; starts > 1 {
					held = b.Data[0]
					return nil
				}
			}
			b.Data[0] = held + b.Data[0]
			held = ""
			return b.Append(nil)
		}
	})(o)
}

// wireNames get the names of events wrong.
func wireNames() []Mutant {
	all := always(func(aep.Event) bool { return true })
	return []Mutant{{
		Name: "unnamed-events", Requirement: "aep.wire.named",
		Summary: "Events have no event field, because the data names itself.",
		Also:    []string{"aep.wire.same-name"},
		Apply:   onBlocks(all, func(b *alter.Block, _ aep.Event) { b.Event = "" }),
	}, {
		Name: "unnamed-after-the-first-block", Requirement: "aep.wire.named", Stateful: true,
		Summary: "Events lose their event field when the second block of a response begins.",
		Also:    []string{"aep.wire.same-name"},
		Apply: onBlocks(fromSecond(func(aep.Event) bool { return true }), func(b *alter.Block, _ aep.Event) {
			b.Event = ""
		}),
	}, {
		Name: "all-are-messages", Requirement: "aep.wire.same-name",
		Summary: "Every event is named message.",
		Apply:   onBlocks(all, func(b *alter.Block, _ aep.Event) { b.Event = "message" }),
	}, {
		Name: "results-named-calls", Requirement: "aep.wire.same-name",
		Summary: "The event field of an outcome says tool_call.",
		Apply:   onBlocks(always(is(aep.ToolResult)), func(b *alter.Block, _ aep.Event) { b.Event = "tool_call" }),
	}}
}

// wireBytes get the encoding of the body wrong.
func wireBytes() []Mutant {
	return []Mutant{{
		Name: "latin1-body", Requirement: "aep.wire.utf8",
		Summary: "Letters that Latin-1 has are written as one byte.",
		Also:    []string{"aep.content.text"},
		Apply: seams.OnBytes(func(aep.Request) func([]byte, aep.Event) []byte {
			return func(whole []byte, _ aep.Event) []byte { return latin1(whole) }
		}),
	}, {
		Name: "leading-bom", Requirement: "aep.wire.no-bom",
		Summary: "The body begins with a byte order mark.",
		Apply: seams.OnBytes(func(aep.Request) func([]byte, aep.Event) []byte {
			return func(whole []byte, e aep.Event) []byte {
				if e.Kind == aep.Metadata {
					return append([]byte("\ufeff"), whole...)
				}
				return whole
			}
		}),
	}}
}

func latin1(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if r >= 0x80 && r <= 0xff {
			out = append(out, byte(r))
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// wireTimes send events too late.
func wireTimes() []Mutant {
	return []Mutant{{
		Name: "one-event-late", Requirement: "aep.wire.live", Stateful: true,
		Summary: "An event is sent when the next one is there, metadata excepted.",
		Apply: seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
			var held []aep.Event
			return func(e aep.Event) []aep.Event {
				out := held
				held = nil
				if e.Kind == aep.Metadata || e.Kind.Terminal() {
					return append(out, e)
				}
				held = []aep.Event{e}
				return out
			}
		}),
	}, {
		Name: "all-at-once", Requirement: "aep.wire.live",
		Summary: "The events of an answer are sent together when the agent is done, metadata excepted.",
		Apply: seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
			var held []aep.Event
			return func(e aep.Event) []aep.Event {
				if e.Kind == aep.Metadata {
					return []aep.Event{e}
				}
				held = append(held, e)
				if !e.Kind.Terminal() {
					return nil
				}
				return held
			}
		}),
	}}
}

// wireHeartbeats are silent for too long.
func wireHeartbeats() []Mutant {
	return []Mutant{{
		Name: "no-heartbeat", Requirement: "aep.wire.heartbeat",
		Summary: "Nothing is sent while the agent is silent.",
		Apply: func(o aep.Options) aep.Options {
			o.Heartbeat = -1
			return o
		},
	}, {
		Name: "one-heartbeat", Requirement: "aep.wire.heartbeat", Stateful: true,
		Summary: "The timer of the heartbeat is never set again, so there is one comment and no other.",
		Wrap: onStream(func(w *alter.Response, _ *http.Request) {
			comments := 0
			w.Body = func(p []byte) []byte {
				if bytes.HasPrefix(p, []byte(":")) {
					if comments++; comments > 1 {
						return nil
					}
				}
				return p
			}
		}),
	}}
}

// wireCursors make something of a cursor.
func wireCursors() []Mutant {
	return []Mutant{{
		Name: "refuses-cursors", Requirement: "aep.wire.no-cursor",
		Summary: "A request with a Last-Event-ID is refused, because there is nothing to resume.",
		Wrap: onRequest(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Last-Event-ID") != "" {
				w.WriteHeader(http.StatusConflict)
				return
			}
			next.ServeHTTP(w, r)
		}),
	}, {
		Name: "takes-cursors", Requirement: "aep.wire.no-cursor",
		Summary: "A request with a Last-Event-ID is answered without the events that it seems to have.",
		Also:    []string{"aep.flow.metadata-first", "aep.flow.metadata-once"},
		Apply: dropping(func(r aep.Request) func(aep.Event) bool {
			return func(e aep.Event) bool { return r.HTTP.Header.Get("Last-Event-ID") != "" && e.Kind == aep.Metadata }
		}),
	}}
}

// wireHeads get the response around the events wrong.
func wireHeads() []Mutant {
	return []Mutant{{
		Name: "json-content-type", Requirement: "aep.wire.content-type",
		Summary: "The framework's default content type is left on the stream.",
		Wrap:    onHead(func(h http.Header) { h.Set("Content-Type", "application/json") }),
	}, {
		Name: "cacheable-stream", Requirement: "aep.wire.cache-control",
		Summary: "A stream may be cached for a minute, as all answers of the service.",
		Wrap:    onHead(func(h http.Header) { h.Set("Cache-Control", "private, max-age=60") }),
	}, {
		Name: "closes-connections", Requirement: "aep.wire.connection",
		Summary: "A stream ends with its connection.",
		Wrap:    onHead(func(h http.Header) { h.Set("Connection", "close") }),
	}}
}
