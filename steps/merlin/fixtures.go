package merlin

import "github.com/streamcert/streamcert/steps"

// Fixtures returns the worlds that show of each Then that it can fail.
func Fixtures() []steps.Fixture {
	first := []string{"a client requests a V1 stream of:\nthe model sends the text \"It is far\"\nthe model sends the text \" to Bergen\""}
	waits := []string{"a client requests a V1 stream of:\nthe model sends the text \"It is far\"\nthe script waits for \"b\""}
	ahead := []string{"a client requests a V1 stream of:\nthe model sends the text \"It is far to Bergen.\"\nthe script waits for \"b\""}
	step := []string{"a client requests a V2 stream of:\nthe event manager has the version 2\nthe application creates the step \"A\"\nthe application ends the step \"A\""}
	thinks := []string{"a client requests a V1 stream of:\nthe model sends the reasoning \"PONDER\" of index 0"}
	calls := []string{"a client requests a V2 stream of:\nthe model calls f with \"{}\" at 0 as a, g with \"{}\" at 1 as b"}
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
		{Then: `the texts "a" and "b" have different indexes`, Setup: []string{"a client requests a V2 stream of:\nthe model sends the text \"a\"\nthe agent \"w\" takes over\nthe model sends the text \"b\""},
			Mutant: "second-agent-shares-the-block", Message: "got 0 for both"},
		{Then: "the slices have 5, 2, 2 characters", Setup: ahead, Mutant: "never-slows-down", Message: "got 5, 5, 5"},
		{Then: `the stream holds nothing of "PONDER"`, Setup: thinks, Mutant: "thinks-aloud", Message: `got "PONDER"`},
		{Then: `the server says nothing of "OBEYED"`, Setup: []string{"a client without the control token requests a V2 stream of:\nthe model sends the text \"OBEYED\""}, Mutant: "obeys-strangers", Message: `got "OBEYED"`},
		{Then: "the answer holds no secret", Setup: []string{`a client requests a V1 stream with secrets and the body "no JSON"`}, Mutant: "echoes-headers-in-error", Message: "repeats a secret"},
		{Then: `the aggregate of the stream has the text "It is far to Bergen"`, Setup: first, Mutant: "stores-the-last-piece", Message: `got "n"`},
		{Then: `the toolCalls of the aggregate are [{"id": "a"}, {"id": "b"}]`, Setup: calls, Mutant: "first-entry-alone", Message: `got [{"function"`},
		{Then: "the toolCalls of the aggregate are:\n" + `[{"id": "a"}, {"id": "b"}]`, Setup: calls, Mutant: "first-entry-alone", Message: `got [{"function"`},
	}
}
