package merlin

import "github.com/streamcert/streamcert/steps"

// Fixtures returns the worlds that show of each Then that it can fail.
func Fixtures() []steps.Fixture {
	first := []string{"a client requests a V1 stream of:\n[{\"delta\": {\"content\": \"It is far\"}}, {\"delta\": {\"content\": \" to Bergen\"}}]"}
	waits := []string{"a client requests a V1 stream of:\n[{\"delta\": {\"content\": \"It is far\"}}, {\"await\": \"b\"}]"}
	ahead := []string{"a client requests a V1 stream of:\n[{\"delta\": {\"content\": \"It is far to Bergen.\"}}, {\"await\": \"b\"}]"}
	step := []string{"a client requests a V2 stream of:\n" + `{"manager": "V2", "acts": [{"progress": {"do": "create", "step": "A"}}, {"progress": {"do": "end", "step": "A"}}]}`}
	thinks := []string{"a client requests a V1 stream of:\n[{\"delta\": {\"reasoning\": {\"text\": \"PONDER\", \"index\": 0}}}]"}
	calls := []string{"a client requests a V2 stream of:\n[{\"delta\": {\"tool_calls\": [" +
		"{\"index\": 0, \"id\": \"a\", \"type\": \"function\", \"function\": {\"name\": \"f\", \"arguments\": \"{}\"}}, " +
		"{\"index\": 1, \"id\": \"b\", \"type\": \"function\", \"function\": {\"name\": \"g\", \"arguments\": \"{}\"}}]}}]"}
	history := []string{"this history is played\na stream of version 1\n1 texts of plain data of 9 bytes"}
	return []steps.Fixture{
		{Then: "nothing was received that the spec rules out", Setup: history, Mutant: "loses-the-last-slice", Message: "the next required event doesn't come"},
		{Then: "no exchange of this scenario breaks this rule", Of: "merlin.slices.init", Setup: append(first[:1:1], `the text of the stream is "It is far to Bergen"`),
			Mutant: "no-init", Message: "begins with another event"},
		{Then: `the client has "It is far" while the stream waits`, Setup: waits, Mutant: "all-at-once", Message: "nothing within", TimesOut: true},
		{Then: `the text of the stream is "It is far to Bergen"`, Setup: first, Mutant: "loses-the-last-slice", Message: `got "It is far to Berge"`},
		{Then: "the stream sends INIT_MESSAGE_CONTENT, message, end", Setup: first, Mutant: "no-end", Message: "got INIT_MESSAGE_CONTENT, message"},
		{Then: "the stream sends:\nmessage {\"progress\": {\"steps\": {\"id\": \"$a\"}}}\nmessage {\"progress\": {\"steps\": {\"id\": \"$a\", \"status\": \"DONE\"}}}",
			Setup: step, Mutant: "never-done", Message: `"status":"IN_PROGRESS"`},
		{Then: "the stream shows no title", Setup: step, Mutant: "titles-in-version-2", Message: "shows a title"},
		{Then: `the texts "a" and "b" have different indexes`, Setup: []string{"a client requests a V2 stream of:\n[{\"delta\": {\"content\": \"a\"}}, {\"handoff\": \"w\"}, {\"delta\": {\"content\": \"b\"}}]"},
			Mutant: "second-agent-shares-the-block", Message: "got 0 for both"},
		{Then: "the slices have 5, 2, 2 characters", Setup: ahead, Mutant: "never-slows-down", Message: "got 5, 5, 5"},
		{Then: `the stream holds nothing of "PONDER"`, Setup: thinks, Mutant: "thinks-aloud", Message: `got "PONDER"`},
		{Then: `the server says nothing of "OBEYED"`, Setup: []string{"a client without the control token requests a V2 stream of:\n" + `[{"delta": {"content": "OBEYED"}}]`}, Mutant: "obeys-strangers", Message: `got "OBEYED"`},
		{Then: "the answer holds no secret", Setup: []string{`a client requests a V1 stream with secrets and the body "no JSON"`}, Mutant: "echoes-headers-in-error", Message: "repeats a secret"},
		{Then: `the aggregate of the stream has the text "It is far to Bergen"`, Setup: first, Mutant: "stores-the-last-piece", Message: `got "n"`},
		{Then: `the toolCalls of the aggregate are [{"id": "a"}, {"id": "b"}]`, Setup: calls, Mutant: "first-entry-alone", Message: `got [{"function"`},
		{Then: "the toolCalls of the aggregate are:\n" + `[{"id": "a"}, {"id": "b"}]`, Setup: calls, Mutant: "first-entry-alone", Message: `got [{"function"`},
	}
}
