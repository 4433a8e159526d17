package aep

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/record"
)

// TestNames: members that a target names differently are compared by its names, with a warning. Without the names they
// can't be compared.
func TestNames(t *testing.T) {
	set := loadSchemas(t)
	call := map[string]string{"toolCallId": "callId", "toolName": "name", "delta": "json", "args": "input"}
	result := map[string]string{"toolCallId": "callId", "status": "state", "summary": "note"}
	names := record.Names{"tool_call": call, "tool_use": call, "tool_result": result, "text": {"text": "content"}, "thinking": {"thinking": "thought"}}
	own := completeBlock()
	for _, change := range []string{"toolCallId callId", "toolName name", "args input", "status state", "summary note"} {
		plain, name, _ := strings.Cut(change, " ")
		own = strings.ReplaceAll(own, `"`+plain+`":`, `"`+name+`":`)
	}
	own = strings.ReplaceAll(own, `"delta":"{\"to\":"`, `"json":"{\"to\":"`)
	own = strings.ReplaceAll(own, `"delta":"\"Bergen\"}"`, `"json":"\"Bergen\"}"`)
	own = strings.ReplaceAll(own, `"thinking":"hm"`, `"thought":"hm"`)
	own = strings.ReplaceAll(own, `"text":"Hello"`, `"content":"Hello"`)
	const warned = "done.block-members stages.final-data tools.fragments tools.named tools.result-call-id"
	compared := []string{doneText, doneArguments, doneCall, doneOutcome, contentFinalText, toolsOneValue, toolsFinalArguments, toolsResultAfterCall}
	for body, want := range map[string]string{
		own: warned,
		in(own, `"input":{"to":"Bergen"}}`, `"input":{"to":"Oslo"}}`):                 warned + " tools.final-arguments",
		in(own, `"thought":"hm"`, `"thought":"h"`):                                    warned + " done.text",
		in(own, `"note":"463 km"}]`, `"note":"46"}]`):                                 warned + " done.outcome",
		in(own, `"type":"tool_use","callId":"c1"`, `"type":"tool_use","callId":"c2"`): warned + " done.call",
	} {
		got, occasions := response{head: good, body: body, names: names}.judge(t, set)
		if diff := cmp.Diff(strings.Join(requirementsOf(got), " "), strings.Join(slices.Sorted(slices.Values(strings.Fields(want))), " ")); diff != "" {
			t.Errorf("(-got +want)\n%s%s", diff, body)
		}
		for _, id := range compared {
			if occasions[id] == 0 {
				t.Errorf("%s had no occasion", id)
			}
		}
	}
	_, occasions := response{head: good, body: own}.judge(t, set)
	for _, id := range compared {
		if occasions[id] > 0 && id != doneText && id != contentFinalText {
			t.Errorf("%s had %d occasions under names that nobody told", id, occasions[id])
		}
	}
}
