package aep

import (
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// shape passes on what the schemas found, and counts what they looked at.
func (m *machine) shape(f *wire.Frame, v verdict) {
	found := v.Findings
	if !m.o.Bare { // the bytes of the event say it
		found = without(found, ids[wireUTF8])
	}
	m.schema(placeOf(f), found)
	m.count[wireJSON]++
	if v.broken {
		return
	}
	m.count[eventsObject]++
	if v.object == nil {
		return
	}
	for _, r := range []rule{eventsRequestID, eventsTimestamp, eventsIntegers} {
		m.count[r]++
	}
	if text, ok := v.object["timestamp"].(string); ok && stamp.MatchString(text) {
		m.count[eventsTimestampOffset]++
	}
	if !v.Known {
		m.unknown++
		return
	}
	m.count[eventsMembers]++
	m.count[eventsNulls]++
	for _, r := range asked(v.Type, v.object) {
		m.count[r]++
	}
}

func without(findings []schemas.Finding, id string) []schemas.Finding {
	var out []schemas.Finding
	for _, f := range findings {
		if f.Requirement != id {
			out = append(out, f)
		}
	}
	return out
}

// asked lists what the schemas ask of an event of a kind, beside what they ask of
// all events.
func asked(kind string, object map[string]any) []rule {
	switch kind {
	case "metadata":
		return []rule{stagesNoStage, flowMetadataMembers}
	case "continuation":
		return []rule{stagesNoStage, actionsMembers}
	case "aborted":
		return []rule{stagesNoStage}
	case "error":
		out := []rule{stagesNoStage, errorsCode, errorsRetryable, errorsMessage}
		if code, _ := object["code"].(string); code != "" {
			out = append(out, errorsKnownCode)
		}
		return out
	case "done":
		return append([]rule{stagesNoStage, eventsMessageID, doneContent, doneFinishReason, doneThread}, askedOfContent(object)...)
	}
	return append([]rule{eventsMessageID, stagesStage, stagesBlockID}, askedOfStage(kind, object)...)
}

func askedOfContent(done map[string]any) []rule {
	var out []rule
	items, _ := done["content"].([]any)
	for _, item := range items {
		block, _ := item.(map[string]any)
		switch block["type"] {
		case "text", "thinking", "tool_use":
			out = append(out, doneBlockMembers)
		case "tool_result":
			out = append(out, doneBlockMembers, toolsSummaryOnly)
		}
	}
	return out
}

func askedOfStage(kind string, object map[string]any) []rule {
	var out []rule
	if kind == "tool_result" {
		out = append(out, toolsSummaryOnly)
	}
	spoken := kind == "text" || kind == "thinking"
	switch object["stage"] {
	case "start":
		out = append(out, stagesBlockIndex)
		switch kind {
		case "tool_call":
			out = append(out, toolsNamed)
		case "tool_result":
			out = append(out, toolsResultCallID)
		}
	case "delta":
		out = append(out, stagesDeltaIndex)
		if spoken {
			return append(out, contentTextDelta)
		}
		return append(out, toolsFragments)
	case "stop":
		out = append(out, stagesFinalData)
	}
	return out
}
