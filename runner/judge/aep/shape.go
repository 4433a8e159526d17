package aep

import (
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// shape adds the findings of the schemas, and counts their checks.
func (m *machine) shape(f *wire.Frame, v judge.Verdict) {
	for _, s := range v.Findings {
		if s.Requirement != wireUTF8 || m.Options.Bare { // else the bytes of the event say it
			m.Schema(judge.At(f), s)
		}
	}
	m.Saw(wireJSON)
	if v.Broken {
		return
	}
	m.Saw(eventsObject)
	if v.Object == nil {
		return
	}
	m.Saw(eventsRequestID)
	m.Saw(eventsTimestamp)
	if containsNumber(v.Object) {
		m.Saw(eventsIntegers)
	}
	if text, ok := v.Object["timestamp"].(string); ok && stamp.MatchString(text) {
		m.Saw(eventsTimestampOffset)
	}
	if !v.Known {
		m.MeetUnknown()
		return
	}
	m.Saw(eventsMembers)
	m.Saw(eventsNulls)
	for _, id := range requiredMembers(v.Type, v.Object) {
		m.Saw(id)
	}
}

// containsNumber reports whether a number is anywhere in a value.
func containsNumber(v any) bool {
	switch v := v.(type) {
	case json.Number:
		return true
	case []any:
		return slices.ContainsFunc(v, containsNumber)
	case map[string]any:
		for _, member := range v {
			if containsNumber(member) {
				return true
			}
		}
	}
	return false
}

// requiredMembers lists the requirements of the schemas on events of a kind, in addition to those on all events.
func requiredMembers(kind string, object map[string]any) []string {
	switch kind {
	case "metadata":
		return []string{stagesNoStage, flowMetadataMembers}
	case "continuation":
		return []string{stagesNoStage, actionsMembers}
	case "aborted":
		return []string{stagesNoStage}
	case "error":
		out := []string{stagesNoStage, errorsCode, errorsRetryable, errorsMessage}
		if code, _ := object["code"].(string); code != "" {
			out = append(out, errorsKnownCode)
		}
		return out
	case "done":
		return append([]string{stagesNoStage, eventsMessageID, doneContent, doneFinishReason, doneThread}, requiredOfContent(object)...)
	}
	return append([]string{eventsMessageID, stagesStage, stagesBlockID}, requiredOfStage(kind, object)...)
}

// requiredOfContent lists the requirements of the schemas on the blocks in done's content.
func requiredOfContent(done map[string]any) []string {
	var out []string
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

// requiredOfStage lists the requirements of the schemas on one stage of a block.
func requiredOfStage(kind string, object map[string]any) []string {
	var out []string
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
