package helixui

import (
	"maps"
	"strings"
)

// Answered is the message of an answer as a front end of the AI SDK posts it: with the client's answers in the parts of its
// calls. parts are the members of the parts that were streamed, and replies those of the calls that wait, in their order.
func Answered(parts, replies []map[string]any) map[string]any {
	message := map[string]any{"id": "message-1", "role": "assistant"}
	all, grown, calls := []any{}, map[any]map[string]any{}, map[any]map[string]any{}
	add := func(part map[string]any) map[string]any {
		all = append(all, part)
		return part
	}
	for _, p := range parts {
		kind, _ := p["type"].(string)
		call := calls[p["toolCallId"]]
		switch name, stage, _ := strings.Cut(kind, "-"); {
		case kind == "start" && p["messageId"] != nil:
			message["id"] = p["messageId"]
		case kind == "start-step":
			add(map[string]any{"type": "step-start"})
		case stage == "start" && (name == "text" || name == "reasoning"):
			grown[p["id"]] = add(map[string]any{"type": name, "text": "", "state": "done"})
		case stage == "delta" && grown[p["id"]] != nil:
			said, _ := p["delta"].(string)
			grown[p["id"]]["text"] = grown[p["id"]]["text"].(string) + said
		case kind == "tool-input-available":
			tool, _ := p["toolName"].(string)
			calls[p["toolCallId"]] = add(map[string]any{"type": "tool-" + tool, "toolCallId": p["toolCallId"], "state": "input-available", "input": p["input"]})
		case call == nil:
		case kind == "tool-output-available":
			call["state"], call["output"] = "output-available", p["output"]
		case kind == "tool-output-error":
			call["state"], call["errorText"] = "output-error", p["errorText"]
		case kind == "tool-approval-request":
			call["state"], call["approval"] = "approval-requested", map[string]any{"id": p["approvalId"]}
		}
	}
	for _, one := range all {
		if call := one.(map[string]any); len(replies) > 0 && (call["state"] == "input-available" || call["state"] == "approval-requested") {
			reply(call, replies[0])
			replies = replies[1:]
		}
	}
	message["parts"] = all
	return message
}

// reply adds an answer of the client to the part of a call: an output, an errorText, or whether it is approved.
func reply(call, answer map[string]any) {
	maps.Copy(call, answer)
	switch approval, asked := call["approval"].(map[string]any); {
	case answer["approved"] != nil:
		delete(call, "approved")
		call["state"] = "approval-responded"
		if asked {
			approval["approved"] = answer["approved"]
		}
	case answer["errorText"] != nil:
		call["state"] = "output-error"
	default:
		call["state"] = "output-available"
	}
}
