package helixui

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/record"
)

// data is a data part of the application that stays in the message.
const data = `{"type":"data-a","data":1}`

// called returns a complete call.
func called(id string) []string {
	return []string{"tool-input-available " + id, "tool-output-available " + id}
}

// response returns a body of parts and lists of parts.
func response(all ...any) string {
	var parts []string
	for _, one := range all {
		switch one := one.(type) {
		case string:
			parts = append(parts, one)
		case []string:
			parts = append(parts, one...)
		}
	}
	return body(parts...)
}

// TestField: observed output of public servers, right and wrong.
func TestField(t *testing.T) {
	set := loadSchemas(t)
	const (
		stop, done = "finish stop", "[DONE]"
		named      = `{"type":"start","messageId":"m"}`
		transient  = `{"type":"data-a","data":1,"transient":true}`
		provided   = `{"type":"tool-output-available","toolCallId":"c","output":1,"providerExecuted":true}`
		failing    = `{"type":"tool-output-error","toolCallId":"c","errorText":"e","providerExecuted":true}`
		deferred   = `{"type":"tool-input-available","toolCallId":"c","toolName":"t","input":{},"providerExecuted":true}`
		another    = `{"type":"tool-input-available","toolCallId":"c","toolName":"other","input":{}}`
	)
	text := []string{"text-start a", "text-delta a", "text-end a"}
	for _, test := range []struct {
		name string
		body string
		want string
	}{
		{"an id of a call in each step", response("start", "start-step", called("c"), "finish-step", "start-step", called("c"), "finish-step", stop, done), ""},
		{"another tool under the id in a later step", response("start", "start-step", called("c"), "finish-step", "start-step", another, "tool-output-available c", "finish-step", stop, done), ""},
		{"pieces under the id in a later step", response("start", "start-step", called("c"), "finish-step", "start-step", "tool-input-start c", "tool-input-delta c", called("c"), "finish-step", stop, done), ""},
		{"an output in a later step", response("start", "start-step", "tool-input-available c", "finish-step", "start-step", "tool-output-available c", "finish-step", stop, done), ""},
		{"a step taken back and repeated", response("start", "start-step", called("c"), "reset-step", called("c"), "finish-step", stop, done), ""},
		{"an id twice in one step", response("start", "start-step", called("c"), called("c"), "finish-step", stop, done), "tools.once tools.output-once"},
		{"an id twice in no step", response("start", called("c"), called("c"), stop, done), "tools.once tools.output-once"},
		{"two outputs, the second in a later step", response("start", "start-step", called("c"), "finish-step", "start-step", "tool-output-available c", "finish-step", stop, done), "tools.output-once"},
		{"the earlier call of an id never returns", response("start", "start-step", "tool-input-available c", "finish-step", "start-step", called("c"), "finish-step", stop, done), "tools.closed"},

		{"an output of the provider", response("start", "start-step", provided, "finish-step", stop, done), ""},
		{"a failure of the provider", response("start", "start-step", failing, "finish-step", stop, done), ""},
		{"an output of the provider still to come", response("start", "start-step", deferred, "finish-step", stop, done), ""},
		{"an early output of the provider", response("start", "start-step", deferred, provided, provided, "finish-step", stop, done), ""},

		{"text before start", response(text, "start", "start-step", "finish-step", stop, done), ""},
		{"text and data before a start that names", response(text, "start", "start-step", "finish-step", stop, done), ""},
		{"an output of an earlier response before start", response("tool-output-available c", "start", "start-step", "finish-step", stop, done), ""},
		{"text, and no start", response(text, stop, done), "flow.start"},
		{"text, and neither start nor finish", response(text, done), "flow.finish flow.start"},
		{"a step before start", response("start-step", "start", text, "finish-step", stop, done), "flow.start"},
		{"a part of later versions before start", response(`{"type":"custom","kind":"a.b"}`, "start", stop, done), "flow.start"},
		{"two starts behind a step", response("start-step", "start", "start", "finish-step", stop, done), "flow.start flow.start-once"},

		{"data before a start that names", response(data, named, "start-step", "finish-step", stop, done), "flow.start-names"},
		{"data before a start that names, and text without a step", response(data, named, text, stop, done), "flow.start-names"},
		{"data before a start that names, and no more", response(data, named, stop, done), "flow.start-names"},
		{"data before a start without a name", response(data, "start", "start-step", "finish-step", stop, done), ""},
		{"transient data before a start that names", response(transient, named, "start-step", "finish-step", stop, done), ""},
		{"data behind a start that names", response(named, data, "start-step", "finish-step", stop, done), ""},
		{"data before the message goes on", response(data, named, "tool-output-available c", "start-step", "finish-step", stop, done), ""},

		{"no type", response("start", "{}", stop, done), "parts.object"},
		{"no finish, and all is open", response("start", "start-step", "text-start a", "reasoning-start b", done), "flow.finish reasoning.closed steps.closed text.closed"},
		{"an error, and all is open", response("start", "start-step", "text-start a", "error", done), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			// A recording doesn't say whether the body went on.
			for _, end := range []record.End{record.ServerClose, record.ClientClose} {
				got, occasions := judged(t, set, head("", ""), test.body, end)
				if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
					t.Errorf("%s (-want +got):\n%s", end, diff)
				}
				for _, id := range got {
					if occasions["helix-ui."+id] == 0 {
						t.Errorf("%s is broken, and had no occasion", id)
					}
				}
			}
		})
	}
}

// TestResumedBehindAnError: the response of a reader that has the error, or the abort, needs no finish; one that brings
// more of the message does.
func TestResumedBehindAnError(t *testing.T) {
	set := loadSchemas(t)
	h := head("", "")
	h.HasCursor, h.Cursor = true, "7"
	for rest, want := range map[string]string{
		response("text-end a", "finish-step", "[DONE]"):             "",
		response("reasoning-end a", "finish-step", data, "[DONE]"):  "",
		response("tool-output-error c", "finish-step", "[DONE]"):    "",
		response("finish-step", "finish error", "[DONE]"):           "",
		response("text-delta a", "text-end a", "[DONE]"):            "flow.finish",
		response("finish-step", "start-step", "[DONE]"):             "flow.finish steps.closed",
		response("finish-step", "start-step", "error", "[DONE]"):    "",
		response("text-delta a", "abort", "finish-step", "[DONE]"):  "",
		response("tool-input-available c", "finish-step", "[DONE]"): "flow.finish",
	} {
		if got, _ := judged(t, set, h, rest, record.ServerClose); strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", rest, got, want)
		}
	}
}
