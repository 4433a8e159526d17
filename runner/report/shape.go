package report

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// InShapeOf writes a received value in the notation of the expected one, so that readers can compare the two: an event as
// its name with the chunk in parentheses, and text in quotes. It returns got unchanged if that can't be parsed.
func InShapeOf(want, got string) string {
	switch {
	case strings.HasSuffix(want, "})") && strings.Contains(want, " ({"):
		return event(got)
	case quotedText(want) && !quotedText(got) && !json.Valid([]byte(got)):
		return strconv.Quote(got)
	}
	return got
}

func quotedText(s string) bool {
	_, err := strconv.Unquote(s)
	return err == nil && strings.HasPrefix(s, `"`)
}

// event returns a frame's data as a name with its content.
func event(data string) string {
	var frame struct {
		Type     string
		Sequence json.Number
		Chunk    json.RawMessage
	}
	if err := json.Unmarshal([]byte(data), &frame); err != nil || frame.Type == "" {
		return data
	}
	name, body := "a frame of type "+frame.Type, data
	if len(frame.Chunk) > 0 {
		name, body = "a chunk", string(frame.Chunk)
	}
	if frame.Sequence != "" {
		name += " with sequence " + frame.Sequence.String()
	}
	return fmt.Sprintf("%s (%s)", name, sorted(body))
}

// sorted returns a JSON object with its members in order, as expected values have them; other texts are returned unchanged.
func sorted(object string) string {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(object), &members) != nil {
		return object
	}
	text, err := jsonOf(members)
	if err != nil {
		return object
	}
	return strings.TrimSpace(string(text))
}
