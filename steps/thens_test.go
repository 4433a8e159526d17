package steps_test

import "slices"

// pair is a Then with two worlds that differ in one fact: it passes in the one and fails in the other.
type pair struct {
	then  string
	of    string   // the requirement, where the Then is about "this rule"
	scene []string // what happens before
	// The fact is a bug of the server or one step that is another.
	mutant string
	other  []string
	says   string // a part of what the failure says
	late   bool   // the failure is that nothing comes
}

func (p pair) name() string {
	if p.mutant == "" {
		return p.then
	}
	return p.mutant + ": " + p.then
}

// scene is a list of steps that reads like one.
func scene(steps ...string) []string { return steps }

// instead returns a scene with another last step; an empty one leaves it out.
func instead(s []string, last string) []string {
	s = slices.Clone(s[:len(s)-1])
	if last != "" {
		s = append(s, last)
	}
	return s
}

// pairs are the self-tests of the vocabulary. The first is the only one of its Then.
func pairs() []pair {
	return slices.Concat(receiving(), finishing(), resuming(), sequences(), truncating(), resetting(), statuses(), writing(), answering(), loads())
}

func receiving() []pair {
	holds := scene("a stream that holds events 1 to 3", "the client attaches")
	attached := scene("a stream that holds event 1", "an attached client", "the writer writes event 2")
	unmoved := scene("a stream whose events are of steps 1, 2", "an attached client that must stay on its connection", "the stream is cleaned up to step 9")
	return []pair{
		{then: "the client receives the next chunk",
			scene: attached, other: instead(attached, "the stream ends"), says: `got {"type":"end"`},
		{then: "the client receives events 1 to 3",
			scene: holds, other: scene("a stream that holds events 1 to 3", "the client resumes after event 1"),
			says: "want event 1"},
		{then: "the client receives events 1 to 12", scene: scene("a stream that holds events 1 to 12", "the client attaches"),
			mutant: "swaps-neighbours", says: `got {"type":"chunk","sequence":12`},
		{then: "the client receives exactly events 1 to 3", scene: holds,
			other: scene("a stream that holds events 1 to 4", "the client attaches"), says: "want the marker"},
		{then: "the client receives exactly events 1 to 3",
			scene:  scene("a stream that holds events 1 to 3", "the client resumes with the cursor \"0\" in the query"),
			mutant: "zero-is-latest", says: "want event 1", late: true},
		{then: "a fresh client receives no stored event",
			scene:  scene("a stream whose events are of steps none, 1, 2", "the stream is reset"),
			mutant: "reset-keeps-stepless", says: `"delta":"event 1. "`},
		{then: "nothing else reaches the client",
			scene: unmoved, mutant: "truncated-for-nothing", says: `got {"type":"truncated"`},
		{then: "nothing else reaches the client",
			scene: scene("a stream that holds event 1", "an attached client", "the stream ends"),
			other: scene("a stream that holds event 1", "the client attaches", "the stream ends"), says: "want a terminal frame"},
		{then: "no exchange of this scenario breaks this rule", of: "helix.wire.content-type",
			scene:  scene("a stream that holds event 1", "the client attaches", "the client receives event 1"),
			mutant: "html-content-type", says: "text/html"},
		{then: "no exchange of this scenario breaks this rule", of: "helix.http.error-body",
			scene:  scene("a client resumes a stream that never was", "the answer is 404"),
			mutant: "error-as-text", says: "want"},
		{then: "the response head arrives before any event",
			scene:  scene("a stream that holds events 1 to 2", "the client resumes after event 2"),
			mutant: "head-waits-for-first-frame", says: "the response head", late: true},
		{then: "a comment has reached the client",
			scene:  scene("a stream that holds event 1", "an attached client", "nothing is written for a heartbeat"),
			mutant: "no-heartbeat", says: "a comment in two heartbeats"},
		{then: "the off-the-shelf client receives events 1 to 12",
			scene:  scene("a stream that holds events 1 to 12", "an off-the-shelf client reads the stream"),
			mutant: "swaps-neighbours", says: "want event 11"},
		{then: "the off-the-shelf client receives the end frame",
			scene: scene("a new stream", "the stream has ended", "an off-the-shelf client reads the stream"),
			other: scene("a new stream", "the stream has failed", "an off-the-shelf client reads the stream"),
			says:  `got a frame of type "fail"`},
	}
}

func finishing() []pair {
	attached := func(last string) []string { return scene("a stream that holds event 1", "an attached client", last) }
	return []pair{
		{then: "the client receives the end frame",
			scene: attached("the stream ends"), other: attached("the stream fails"), says: `got {"type":"fail"`},
		{then: "every client receives the end frame",
			scene:  scene("a stream that holds event 1", `attached clients "A", "B"`, "the stream ends"),
			mutant: "end-reaches-one-reader", says: "the end frame", late: true},
		{then: `the client receives the fail frame with the error "it broke"`,
			scene:  attached(`the stream fails with the error "it broke"`),
			mutant: "fail-says-internal-error", says: `want "it broke"`},
		{then: `the client receives the fail frame with the code "provider_timeout", if any`,
			scene: attached(`the stream fails with the error "it broke" and the code "provider_timeout"`),
			other: attached(`the stream fails with the error "it broke" and the code "provider_error"`),
			says:  `got "provider_error"`},
		{then: `the client receives the end frame with the final output {"answer":42}, if any`,
			scene:  attached(`the stream ends with the output {"answer":42}`),
			mutant: "stringifies-final-output", says: `want {"answer":42}`},
		{then: "the response of the client ends",
			scene: attached("the stream ends"), mutant: "leaves-body-open", says: "the end of the response", late: true},
	}
}

func resuming() []pair {
	return []pair{
		{then: "the client receives the rest, or everything, or a 400",
			scene:  scene("a stream that holds events 1 to 12", "the client asks for events after event 10 with fromOffset"),
			mutant: "inclusive-resume", says: "want event 1 or the one after 10"},
		{then: "the client receives nothing at or below its cursor while events 4 to 12 are written",
			scene:  scene("a stream that holds events 1 to 3", "the client resumes 5 beyond event 3"),
			mutant: "beyond-latest-delivers-next", says: "a sequence above 8"},
		{then: "the client receives events 11 to 12, or a 400",
			scene:  scene("a stream that holds events 1 to 12", "the client resumes after event 10 with leading zeros in the cursor"),
			mutant: "padded-cursor-is-octal", says: "want event 11"},
		{then: "the client receives events 11 to 12, or a 400",
			scene: scene("a stream that holds events 1 to 12", "the client resumes after event 10"),
			other: scene("a stream that holds events 1 to 12", "the client resumes after event 9"), says: "want event 11"},
	}
}

func sequences() []pair {
	twoWriters := scene("a new stream", `attached clients "A"`, "2 writers write 10 events each at the same time",
		"every client receives every one of them once, each writer's in its order",
		"a fresh client receives every one of them once, each writer's in its order")
	return []pair{
		{then: "the client receives every one of them once, each writer's in its order",
			scene:  scene("a new stream", "an attached client", "4 writers write 25 events each at the same time"),
			mutant: "two-writers-one-sequence", says: "a sequence of its own"},
		{then: "every client has received the same order with the same sequences",
			scene: twoWriters, mutant: "order-per-reader", says: `what client "A" received`},
		{then: "the client receives event 1 with sequence 1",
			scene: scene("a stream that holds event 1", "the client attaches"), mutant: "starts-at-1000", says: `got id "1000"`},
		{then: "the client receives events 1 to 12 with sequences that follow each other",
			scene:  scene("a stream that holds events 1 to 12", "the client attaches"),
			mutant: "skips-numbers", says: "the number after id \"9\""},
		{then: "every sequence named one chunk on every connection",
			scene:  scene("a stream that holds events 1 to 3", `attached clients "A", "B"`, `client "resumed" resumes after event 1`, `client "resumed" receives events 2 to 3`),
			mutant: "renumbers-on-resume", says: "as on another connection"},
	}
}

func truncating() []pair {
	cleaned := func(steps, who, to string) []string {
		return scene("a stream whose events are of steps "+steps, who, "the stream is cleaned up to step "+to)
	}
	told := cleaned("1, 2, 1", "an attached client", "1")
	return []pair{
		{then: "every client receives a truncated frame", scene: cleaned("1, 2", `attached clients "A", "B"`, "1"),
			mutant: "truncated-to-first-reader-only", says: "a truncated frame", late: true},
		{then: "the client receives a truncated frame that names step 2", scene: cleaned("1, 2, 3", "an attached client", "2"),
			mutant: "truncated-at-step-plus-one", says: `"truncatedAtStep":3`},
		{then: "its atSequence is the sequence of event 3",
			scene:  append(cleaned("1, 2, 3", "an attached client", "1"), "the client receives a truncated frame"),
			mutant: "at-sequence-of-kept", says: "want atSequence 3"},
		{then: "nothing but a truncated frame reaches the client", scene: told,
			other: append(slices.Clone(told), "the writer writes an event of step 1"), says: "want the marker"},
		{then: "the next event gets a sequence above that of event 3",
			scene:  append(cleaned("1, 2, 2", "an attached client", "1"), "the stream is cleaned up to step 0"),
			mutant: "reuses-removed-sequence", says: "a sequence above 3"},
		{then: "event 5 has kept its sequence for a fresh client", scene: cleaned("1, 2, 1, 2, 1", "an attached client", "1"),
			mutant: "cleanup-renumbers", says: "event 5 with id 5, as before"},
		{then: "the stalled client is told of the truncation or was cut, and receives no removed event after that",
			scene: scene("a stream whose events are of steps 1", "a stalled client", "the writer writes 128 events of 48 KiB of step 2",
				"the stream is cleaned up to step 1", "the stalled client reads on"),
			mutant: "removed-chunks-in-flight", says: "no removed event after the truncated frame"},
	}
}

func resetting() []pair {
	return []pair{
		{then: "the stream takes and delivers a new event, unless the reset was refused",
			scene:  scene("a stream that holds events 1 to 2", "the stream has ended", "a reset of the stream is asked for"),
			mutant: "reset-stays-ended", says: "want a 2xx answer"},
		{then: "the next event gets a sequence above every id that was sent",
			scene:  scene("a stream that holds events 1 to 3", "an attached client", "the stream is reset"),
			mutant: "reset-restarts-at-one", says: "a sequence above 3"},
		{then: "the next event gets a sequence above every id that was sent, unless the reset was refused",
			scene:  scene("a stream that holds events 1 to 3", "an attached client", "the stream has ended", "the client is told that it is over", "a reset of the stream is asked for"),
			mutant: "reset-reuses-terminal-id", says: "a sequence above 4"},
	}
}

func statuses() []pair {
	asked := func(steps ...string) []string { return append(steps, "the info of the stream is asked for") }
	return []pair{
		{then: "the client receives the status paused",
			scene:  scene("a stream that holds event 1", "an attached client", "the stream is made paused"),
			mutant: "no-status-frames", says: "a status frame that says paused", late: true},
		{then: "every client is told that the stream is active",
			scene:  scene("a stream that holds event 1", `attached clients "A", "B"`, "the stream is made paused", "every client is told of the status paused", "the stream is made active"),
			mutant: "return-untold", says: "a status frame that says active"},
		{then: "a fresh client receives no status frame",
			scene:  scene("a stream that holds event 1", "the stream is made paused", "the stream is made active"),
			mutant: "status-replayed", says: "no status frame"},
		{then: `the info says the status "paused"`,
			scene:  asked("a stream that holds event 1", "the stream is made paused"),
			mutant: "info-stays-active", says: `got "active"`},
		{then: "the info counts 5 chunks",
			scene:  asked("a stream that holds event 1", "the writer writes events 2 to 5 in one call"),
			mutant: "count-counts-writes", says: "want 5, got 2"},
		{then: "the latest sequence of the info is that of event 12",
			scene: asked("a stream that holds events 1 to 12"), mutant: "latest-sorts-as-text", says: "want 12, got 9"},
		{then: "the latest sequence of the info is 0",
			scene: asked("a new stream"), other: asked("a stream that holds event 1"), says: "want 0, got 1"},
		{then: "the latest sequence of the info is at least that of event 3",
			scene:  asked("a stream whose events are of steps 1, 2, 3", "an attached client", "the stream is cleaned up to step 1"),
			mutant: "latest-drops-after-cleanup", says: "want at least 3, got 1"},
	}
}

func writing() []pair {
	attached := func(last string) []string { return scene("a stream that holds event 1", "an attached client", last) }
	return []pair{
		{then: "the write is refused",
			scene:  scene("a stream that holds event 1", "the writer closes", "the closed writer tries to write"),
			mutant: "closed-writer-writes", says: "want a refusal (4xx), got 201"},
		{then: `the refusal is a 400 that names "delta"`,
			scene:  attached(`the writer tries to write a text_delta chunk with {"delta":7}`),
			mutant: "refuses-without-a-word", says: `a body that names "delta"`},
		{then: "the client receives the chunk unchanged",
			scene:  attached(`the writer writes a text_delta chunk with {"delta":" a"}`),
			mutant: "trims-deltas", says: `"delta":" a"`},
		{then: "the client receives the chunk unchanged, unless it was refused",
			scene:  attached(`the writer tries to write a future chunk with {"new":1}`),
			mutant: "strips-unknown-type", says: `"new":1`},
		{then: "the client receives nothing that breaks this rule", of: "helix.chunks.agent-id",
			scene:  attached(`the writer tries to write a text_delta chunk with {"delta":"a"} but no "agentId"`),
			mutant: "relays-missing-agent-id", says: "a chunk that keeps the rule"},
		{then: "the huge chunk was refused or the connection was closed",
			scene:  attached("the writer tries to write a chunk of more than 16 MiB"),
			mutant: "no-body-limit", says: "want a refusal (4xx), got 201"},
		{then: "each client receives its own stream's events alone",
			scene:  scene(`streams "{base}stream" and "{base}Stream" with an event each`, "a client attaches to each of them"),
			mutant: "folds-stream-id-case", says: "want the marker"},
	}
}

func answering() []pair {
	return []pair{
		{then: "the answer is 404",
			scene:  scene("a client resumes a stream that never was"),
			mutant: "unknown-stream-is-empty", says: "want 404, got 200"},
		{then: "the answer is 404",
			scene:  scene("the info of a stream that never was is asked for"),
			mutant: "info-invents-stream", says: "want 404, got 200"},
		{then: "the answer is 401 or 400",
			scene:  scene("a stream that holds event 1", `the client resumes with the cursor "abc" in the query`),
			mutant: "invalid-cursor-replays-all", says: "want 401 or 400, got 200"},
		{then: "the answer is no event stream",
			scene:  scene("a client resumes a stream that never was"),
			mutant: "unknown-stream-is-empty", says: "text/event-stream"},
		{then: "the answer allows the origin",
			scene:  scene("a stream that holds event 1", "the client attaches from another origin"),
			mutant: "no-cors", says: "access-control-allow-origin"},
		{then: "the answer holds no secret",
			scene:  scene("a stream that holds event 1", `a client with secrets resumes with the cursor "abc"`),
			mutant: "echoes-headers-in-error", says: "without the secrets"},
	}
}

func loads() []pair {
	return []pair{
		{then: "the stalled client has received everything, on one connection or by resuming",
			scene:  scene("a new stream", "a stalled client", "the writer writes 128 events of 48 KiB"),
			mutant: "drops-for-slow-reader", says: "want event", late: true},
	}
}
