package certify

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
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

// unclaimed returns why a target doesn't claim a class, "" if it does: the config lacks a capability of the class, or a
// setting that every requirement of one of its chapters needs, such as several addresses.
func (r *running) unclaimed(c spec.Class, rep *report.Report) string {
	for _, name := range c.Capabilities {
		if !r.options.Target.Claims(name) {
			return r.notClaimed(name)
		}
	}
	claims, reasons := map[string]bool{}, map[string]string{} // by chapter
	for _, q := range rep.Requirements {
		if !slices.Contains(c.Requirements, q.ID) {
			continue
		}
		reason := ""
		if lacks := pack.Lacks(r.options.Target, q.Tier); q.Verdict == report.Unprovable && lacks != nil {
			reason = lacks.Error()
		} else if q.Verdict == report.NotClaimed {
			reason = q.Reason
		}
		reasons[q.Chapter] = reason
		claims[q.Chapter] = claims[q.Chapter] || reason == ""
	}
	for _, chapter := range c.Chapters {
		if claimed, ran := claims[chapter]; ran && !claimed {
			return reasons[chapter]
		}
	}
	return ""
}

// unearnable returns why a run that only the server's model provokes can't earn any class that the target claims, "" if it
// can.
func unearnable(rep *report.Report) string {
	reasons := map[string]string{}
	for _, q := range rep.Requirements {
		reasons[q.ID] = q.Reason
	}
	claimed, fewest := 0, []string(nil)
	for _, c := range rep.Classes {
		if c.Unclaimed != "" {
			continue
		}
		claimed++
		var beyond []string
		for _, m := range c.Missing {
			if m.Verdict == report.Unprovable && reasons[m.ID] == byModelAlone {
				beyond = append(beyond, m.ID)
			}
		}
		if len(beyond) == 0 {
			return ""
		}
		if fewest == nil || len(beyond) < len(fewest) {
			fewest = beyond
		}
	}
	if claimed == 0 {
		return ""
	}
	const named = 3
	text := strings.Join(fewest[:min(len(fewest), named)], ", ")
	if n := len(fewest) - named; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return "no class can be earned by the model alone, because each has requirements that only the control binding provokes, at least " + text
}
