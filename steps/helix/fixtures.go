package helix

import (
	"slices"

	"github.com/streamcert/streamcert/steps"
)

func receiving() []steps.Fixture {
	holds := setup("a stream that holds events 1 to 3", "the client attaches")
	attached := setup("a stream that holds event 1", "an attached client", "the writer writes event 2")
	unmoved := setup("a stream whose events are of steps 1, 2", "an attached client that must stay on its connection", "the stream is cleaned up to step 9")
	return []steps.Fixture{
		{Then: "the client receives the next chunk",
			Setup: attached, Other: instead(attached, "the stream ends"), Message: `got {"type":"end"`},
		{Then: "the client receives events 1 to 3",
			Setup: holds, Other: setup("a stream that holds events 1 to 3", "the client resumes after event 1"),
			Message: "want event 1"},
		{Then: "the client receives events 1 to 12", Setup: setup("a stream that holds events 1 to 12", "the client attaches"),
			Mutant: "swaps-neighbours", Message: `got {"type":"chunk","sequence":12`},
		{Then: "the client receives exactly events 1 to 3", Setup: holds,
			Other: setup("a stream that holds events 1 to 4", "the client attaches"), Message: "want the marker"},
		{Then: "the client receives exactly events 1 to 3",
			Setup:  setup("a stream that holds events 1 to 3", "the client resumes with the cursor \"0\" in the query"),
			Mutant: "zero-is-latest", Message: "want event 1", TimesOut: true},
		{Then: "the client receives event 4, whatever it was told before",
			Setup:  setup("a stream whose events are of steps 1, 2, 1", "a client that came during a pause", "the writer writes event 4"),
			Mutant: "deaf-since-pause", Message: "event 4", TimesOut: true},
		{Then: "a fresh client receives no stored event",
			Setup:  setup("a stream whose events are of steps none, 1, 2", "the stream is reset"),
			Mutant: "reset-keeps-stepless", Message: `"delta":"event 1. "`},
		{Then: "nothing else reaches the client",
			Setup: unmoved, Mutant: "truncated-for-nothing", Message: `got {"type":"truncated"`},
		{Then: "nothing else reaches the client",
			Setup: setup("a stream that holds event 1", "an attached client", "the stream ends"),
			Other: setup("a stream that holds event 1", "the client attaches", "the stream ends"), Message: "want a terminal frame"},
		{Then: "no exchange of this scenario breaks this rule", Of: "helix.wire.content-type",
			Setup:  setup("a stream that holds event 1", "the client attaches", "the client receives event 1"),
			Mutant: "html-content-type", Message: "text/html"},
		{Then: "no exchange of this scenario breaks this rule", Of: "helix.http.error-body",
			Setup:  setup("a client resumes a stream that never was", "the answer is 404"),
			Mutant: "error-as-text", Message: "want"},
		{Then: "the response head arrives before any event",
			Setup:  setup("a stream that holds events 1 to 2", "the client resumes after event 2"),
			Mutant: "head-waits-for-first-frame", Message: "the response head", TimesOut: true},
		{Then: "a comment has reached the client",
			Setup:  setup("a stream that holds event 1", "an attached client", "nothing is written for a heartbeat of at most 15 s"),
			Mutant: "no-heartbeat", Message: "a comment in two heartbeats"},
		{Then: "the off-the-shelf client receives events 1 to 12",
			Setup:  setup("a stream that holds events 1 to 12", "an off-the-shelf client reads the stream"),
			Mutant: "swaps-neighbours", Message: "want event 11"},
		{Then: "the off-the-shelf client receives the end frame",
			Setup:   setup("a new stream", "the stream has ended", "an off-the-shelf client reads the stream"),
			Other:   setup("a new stream", "the stream has failed", "an off-the-shelf client reads the stream"),
			Message: `got a frame of type "fail"`},
	}
}

func finishing() []steps.Fixture {
	attached := func(last string) []string {
		return setup("a stream that holds event 1", "an attached client", last)
	}
	return []steps.Fixture{
		{Then: "the client receives the end frame",
			Setup: attached("the stream ends"), Other: attached("the stream fails"), Message: `got {"type":"fail"`},
		{Then: "every client receives the end frame",
			Setup:  setup("a stream that holds event 1", `attached clients "A", "B"`, "the stream ends"),
			Mutant: "end-reaches-one-reader", Message: "the end frame", TimesOut: true},
		{Then: `the client receives the fail frame with the error "it broke"`,
			Setup:  attached(`the stream fails with the error "it broke"`),
			Mutant: "fail-says-internal-error", Message: `want "it broke"`},
		{Then: `the client receives the fail frame with the code "provider_timeout", if any`,
			Setup:   attached(`the stream fails with the error "it broke" and the code "provider_timeout"`),
			Other:   attached(`the stream fails with the error "it broke" and the code "provider_error"`),
			Message: `got "provider_error"`},
		{Then: `the client receives the end frame with the final output {"answer":42}, if any`,
			Setup:  attached(`the stream ends with the output {"answer":42}`),
			Mutant: "stringifies-final-output", Message: `want {"answer":42}`},
		{Then: "the response of the client ends without a break",
			Setup:  setup("a stream that holds event 1", "the stream has ended", "the client attaches accepting gzip"),
			Mutant: "gzip-without-trailer", Message: "broken connection"},
		{Then: "the response of the client ends",
			Setup: attached("the stream ends"), Mutant: "leaves-body-open", Message: "the end of the response", TimesOut: true},
	}
}

func resuming() []steps.Fixture {
	return []steps.Fixture{
		{Then: "the client receives the rest, or everything, or a 400",
			Setup:  setup("a stream that holds events 1 to 12", "the client asks for events after event 10 with fromOffset"),
			Mutant: "inclusive-resume", Message: "want event 1 or the one after 10"},
		{Then: "the client receives nothing at or below its cursor while events 4 to 12 are written",
			Setup:  setup("a stream that holds events 1 to 3", "the client resumes 5 beyond event 3"),
			Mutant: "beyond-latest-delivers-next", Message: "a sequence above 8"},
		{Then: "the client is refused, or receives no chunk before the end",
			Setup:  setup("a stream that holds events 1 to 3", "the client resumes with the large cursor \"4294967296\" in the header"),
			Mutant: "cursor-wraps-at-32-bits", Message: "want a terminal frame"},
		{Then: "the client receives events 11 to 12, or a 400",
			Setup:  setup("a stream that holds events 1 to 12", "the client resumes after event 10 with leading zeros in the cursor"),
			Mutant: "padded-cursor-is-octal", Message: "want event 11"},
		{Then: "the client receives events 11 to 12, or a 400",
			Setup: setup("a stream that holds events 1 to 12", "the client resumes after event 10"),
			Other: setup("a stream that holds events 1 to 12", "the client resumes after event 9"), Message: "want event 11"},
	}
}

func sequences() []steps.Fixture {
	twoWriters := setup("a new stream", `attached clients "A"`, "2 writers write 10 events each at the same time",
		"every client receives every one of them once, each writer's in its order",
		"a fresh client receives every one of them once, each writer's in its order")
	return []steps.Fixture{
		{Then: "the client receives every one of them once, each writer's in its order",
			Setup:  setup("a new stream", "an attached client", "4 writers write 25 events each at the same time"),
			Mutant: "two-writers-one-sequence", Message: "a sequence of its own"},
		{Then: "every client has received the same order with the same sequences",
			Setup: twoWriters, Mutant: "order-per-reader", Message: `what client "A" received`},
		{Then: "the client receives event 1 with sequence 1",
			Setup: setup("a stream that holds event 1", "the client attaches"), Mutant: "starts-at-1000", Message: `got id "1000"`},
		{Then: "the client receives events 1 to 12 with sequences that follow each other",
			Setup:  setup("a stream that holds events 1 to 12", "the client attaches"),
			Mutant: "skips-numbers", Message: "the number after id \"9\""},
		{Then: "every sequence named one chunk on every connection",
			Setup:  setup("a stream that holds events 1 to 3", `attached clients "A", "B"`, `client "resumed" resumes after event 1`, `client "resumed" receives events 2 to 3`),
			Mutant: "renumbers-on-resume", Message: "as on another connection"},
	}
}

func truncating() []steps.Fixture {
	cleaned := func(numbers, who, to string) []string {
		return setup("a stream whose events are of steps "+numbers, who, "the stream is cleaned up to step "+to)
	}
	truncated := cleaned("1, 2, 1", "an attached client", "1")
	return []steps.Fixture{
		{Then: "every client receives a truncated frame", Setup: cleaned("1, 2", `attached clients "A", "B"`, "1"),
			Mutant: "truncated-to-first-reader-only", Message: "a truncated frame", TimesOut: true},
		{Then: "the client receives a truncated frame that names step 2", Setup: cleaned("1, 2, 3", "an attached client", "2"),
			Mutant: "truncated-at-step-plus-one", Message: `"truncatedAtStep":3`},
		{Then: "its atSequence is the sequence of event 3",
			Setup:  append(cleaned("1, 2, 3", "an attached client", "1"), "the client receives a truncated frame"),
			Mutant: "at-sequence-of-kept", Message: "want atSequence 3"},
		{Then: "nothing but a truncated frame reaches the client", Setup: truncated,
			Other: append(slices.Clone(truncated), "the writer writes an event of step 1"), Message: "want the marker"},
		{Then: "the next event gets a sequence above that of event 3",
			Setup:  append(cleaned("1, 2, 2", "an attached client", "1"), "the stream is cleaned up to step 0"),
			Mutant: "reuses-removed-sequence", Message: "a sequence above 3"},
		{Then: "event 5 has kept its sequence for a fresh client", Setup: cleaned("1, 2, 1, 2, 1", "an attached client", "1"),
			Mutant: "cleanup-renumbers", Message: "event 5 with id 5, as before"},
		{Then: "the stalled client is told of the truncation or was cut, and receives no removed event after that",
			Setup: setup("a stream whose events are of steps 1", "a stalled client", "the writer writes 128 events of 48 KiB of step 2",
				"the stream is cleaned up to step 1", "the stalled client reads on"),
			Mutant: "removed-chunks-in-flight", Message: "no removed event after the truncated frame"},
	}
}

func resetting() []steps.Fixture {
	return []steps.Fixture{
		{Then: "the stream takes and delivers a new event, unless the reset was refused",
			Setup:  setup("a stream that holds events 1 to 2", "the stream has ended", "a reset of the stream is asked for"),
			Mutant: "reset-stays-ended", Message: "want a 2xx answer"},
		{Then: "the next event gets a sequence above every id that was sent",
			Setup:  setup("a stream that holds events 1 to 3", "an attached client", "the stream is reset"),
			Mutant: "reset-restarts-at-one", Message: "a sequence above 3"},
		{Then: "the next event gets a sequence above every id that was sent, unless the reset was refused",
			Setup:  setup("a stream that holds events 1 to 3", "an attached client", "the stream has ended", "the client is told that it is over", "a reset of the stream is asked for"),
			Mutant: "reset-reuses-terminal-id", Message: "a sequence above 4"},
	}
}

func statuses() []steps.Fixture {
	requested := func(texts ...string) []string { return append(texts, "the info of the stream is asked for") }
	return []steps.Fixture{
		{Then: "the quickest of them came within 1 s",
			Setup:  setup("a stream that holds event 1", "an attached client", "the writer writes event 2, each after the client has received the one before"),
			Mutant: "looks-every-other-second", Message: "one of the events within 1s"},
		{Then: "the client receives the status paused",
			Setup:  setup("a stream that holds event 1", "an attached client", "the stream is made paused"),
			Mutant: "no-status-frames", Message: "a status frame that says paused", TimesOut: true},
		{Then: "every client is told that the stream is active",
			Setup:  setup("a stream that holds event 1", `attached clients "A", "B"`, "the stream is made paused", "every client is told of the status paused", "the stream is made active"),
			Mutant: "return-untold", Message: "a status frame that says active"},
		{Then: "a fresh client receives no status frame",
			Setup:  setup("a stream that holds event 1", "the stream is made paused", "the stream is made active"),
			Mutant: "status-replayed", Message: "no status frame"},
		{Then: `the info says the status "paused"`,
			Setup:  requested("a stream that holds event 1", "the stream is made paused"),
			Mutant: "info-stays-active", Message: `got "active"`},
		{Then: "the info counts 5 chunks",
			Setup:  requested("a stream that holds event 1", "the writer writes events 2 to 5 in one call"),
			Mutant: "count-counts-writes", Message: "want 5, got 2"},
		{Then: "the latest sequence of the info is that of event 12",
			Setup: requested("a stream that holds events 1 to 12"), Mutant: "latest-sorts-as-text", Message: "want 12, got 9"},
		{Then: "the latest sequence of the info is 0 or that of event 3, unless the reset was refused",
			Setup:  requested("a stream that holds events 1 to 3", "an attached client", "the stream has ended", "a reset of the stream is asked for"),
			Mutant: "reset-latest-is-terminal", Message: "want 3, got 4"},
		{Then: "the latest sequence of the info is 0",
			Setup: requested("a new stream"), Other: requested("a stream that holds event 1"), Message: "want 0, got 1"},
		{Then: "the latest sequence of the info is at least that of event 3",
			Setup:  requested("a stream whose events are of steps 1, 2, 3", "an attached client", "the stream is cleaned up to step 1"),
			Mutant: "latest-drops-after-cleanup", Message: "want at least 3, got 1"},
	}
}

func writing() []steps.Fixture {
	attached := func(last string) []string {
		return setup("a stream that holds event 1", "an attached client", last)
	}
	return []steps.Fixture{
		{Then: "the write is refused",
			Setup:  setup("a stream that holds event 1", "the writer closes", "the closed writer tries to write"),
			Mutant: "closed-writer-writes", Message: "want a refusal (4xx), got 201"},
		{Then: "the client receives the chunk unchanged",
			Setup:  attached(`the writer writes a text_delta chunk with {"delta":" a"}`),
			Mutant: "trims-deltas", Message: `"delta":" a"`},
		{Then: "the client receives the chunk unchanged, unless it was refused",
			Setup:  attached(`the writer tries to write a future chunk with {"new":1}`),
			Mutant: "strips-unknown-type", Message: `"new":1`},
		{Then: "the client receives the known members of the chunk unchanged, unless it was refused",
			Setup:  attached(`the writer tries to write a text_delta chunk with {"delta":"a","lang":"en"}`),
			Mutant: "unknown-members-hide-the-rest", Message: "the known members of"},
		{Then: "the client receives the half as it was written, unless the chunk was refused",
			Setup:  attached("the writer tries to write a text_delta chunk that ends in half of a surrogate pair"),
			Mutant: "replaces-half-a-pair", Message: `want {`},
		{Then: "the client receives nothing that breaks this rule", Of: "helix.chunks.agent-id",
			Setup:  attached(`the writer tries to write a text_delta chunk with {"delta":"a"} but no "agentId"`),
			Mutant: "relays-missing-agent-id", Message: "a chunk that keeps the rule"},
		{Then: "the huge chunk was refused or the connection was closed",
			Setup:  attached("the writer tries to write a chunk of more than 16 MiB"),
			Mutant: "no-body-limit", Message: "want a refusal (4xx), got 201"},
		{Then: "each client receives its own stream's events alone",
			Setup:  setup(`streams "{base}stream" and "{base}Stream" with an event each`, "a client attaches to each of them"),
			Mutant: "folds-stream-id-case", Message: "want the marker"},
	}
}

func answering() []steps.Fixture {
	return []steps.Fixture{
		{Then: "the answer is 404",
			Setup:  setup("a client resumes a stream that never was"),
			Mutant: "unknown-stream-is-empty", Message: "want 404, got 200"},
		{Then: "the answer is 404",
			Setup:  setup("the info of a stream that never was is asked for"),
			Mutant: "info-invents-stream", Message: "want 404, got 200"},
		{Then: "the answer is 401 or 400",
			Setup:  setup("a stream that holds event 1", `the client resumes with the cursor "abc" in the query`),
			Mutant: "invalid-cursor-replays-all", Message: "want 401 or 400, got 200"},
		{Then: "the answer is no event stream",
			Setup:  setup("a client resumes a stream that never was"),
			Mutant: "unknown-stream-is-empty", Message: "text/event-stream"},
		{Then: "the answer allows the origin",
			Setup:  setup("a stream that holds event 1", "the client attaches from another origin"),
			Mutant: "no-cors", Message: "access-control-allow-origin"},
		{Then: "the answer holds no secret",
			Setup:  setup("a stream that holds event 1", `a client with secrets resumes with the cursor "abc"`),
			Mutant: "echoes-headers-in-error", Message: "without the secrets"},
	}
}

func loads() []steps.Fixture {
	return []steps.Fixture{
		{Then: "the stalled client has received everything, on one connection or by resuming",
			Setup:  setup("a new stream", "a stalled client", "the writer writes 128 events of 48 KiB"),
			Mutant: "drops-for-slow-reader", Message: "want event", TimesOut: true},
		{Then: "the client has received everything, on one connection or by resuming",
			Setup:  setup("a stream that holds events 1 to 12", "the client attaches"),
			Mutant: "swaps-neighbours", Message: "want event 11"},
	}
}

// instead returns a setup whose last step is replaced, or removed where the new one is empty.
func instead(s []string, last string) []string {
	s = slices.Clone(s[:len(s)-1])
	if last != "" {
		s = append(s, last)
	}
	return s
}

// setup returns its arguments: the steps of a setup.
func setup(texts ...string) []string { return texts }
