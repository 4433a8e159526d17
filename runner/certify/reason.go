package certify

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/streamcert/streamcert/runner/target"
)

// byModelAlone is the common reason for requirements that a run with model.only can't provoke. Each scenario has its
// specific reason.
const byModelAlone = "the server's model alone can't provoke it, and " + target.ControlLeftOut

// reasonOf returns the reason of a requirement, given the one of a scenario: one sentence for each thing that a target lacks.
func reasonOf(scenario string) string {
	if strings.HasSuffix(scenario, target.ControlLeftOut) {
		return byModelAlone
	}
	return scenario
}

// opening finds the possible beginnings of JSON in a text. Other braces, such as those of a route, stay.
var opening = regexp.MustCompile(`\{\s*"|\[\s*["{\[]`)

// inWords replaces JSON in a reason by the words in it, since people read reasons.
func inWords(reason string) string {
	for {
		at := opening.FindStringIndex(reason)
		if at == nil {
			return reason
		}
		var value any
		rest, end := json.NewDecoder(strings.NewReader(reason[at[0]:])), len(reason)
		if rest.Decode(&value) == nil { // else it was truncated
			end = at[0] + int(rest.InputOffset())
		}
		text := wordsOf(value)
		if text == "" || opening.MatchString(text) {
			text = "some JSON"
		}
		reason = reason[:at[0]] + text + reason[end:]
	}
}

// wordsOf returns the words of a JSON value: the message of an error, the type of an object, or its first of both inside.
func wordsOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 {
			return wordsOf(v[0])
		}
	case map[string]any:
		for _, name := range []string{"message", "error", "detail", "title", "reason"} {
			if text := wordsOf(v[name]); text != "" {
				return text
			}
		}
		if kind, ok := v["type"].(string); ok {
			return "of type " + kind
		}
		if len(v) == 1 {
			for name, inner := range v {
				return strings.TrimSpace(name + " " + wordsOf(inner))
			}
		}
	}
	return ""
}
