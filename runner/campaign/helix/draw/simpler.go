package draw

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
)

// simplerScripts lists smaller scripts, the smallest first: the script of a sub-agent, halves of the steps and of their
// script steps, each without one of them, and simpler script steps. It returns nil for a script that isn't JSON.
func simplerScripts(script string) (out []func() string) {
	var steps []any
	if json.Unmarshal([]byte(script), &steps) != nil {
		return nil
	}
	for _, simpler := range slices.Concat(scriptsWithin(steps), simplerLists(steps)) {
		out = append(out, func() string { return asText(simpler) })
	}
	return out
}

// scriptsWithin returns the scripts of all sub-agents in some steps, nested ones too.
func scriptsWithin(steps []any) (out [][]any) {
	for _, step := range steps {
		for _, a := range asList(step) {
			kind, value := scriptStepIn(a)
			switch kind {
			case "subagent":
				inner := asList(asObject(value)["script"])
				out = append(append(out, inner), scriptsWithin(inner)...)
			case "parallel":
				out = append(out, scriptsWithin(asList(value))...)
			}
		}
	}
	return out
}

// simplerLists returns smaller lists of lists of script steps, such as steps or branches.
func simplerLists(lists []any) [][]any {
	out := fewer(lists)
	for i, list := range lists {
		for _, scriptSteps := range simplerSteps(asList(list)) {
			out = append(out, replaced(lists, i, scriptSteps))
		}
	}
	return out
}

// simplerSteps returns lists with fewer script steps, with the script steps of one branch instead of all branches, or
// with simpler ones.
func simplerSteps(scriptSteps []any) [][]any {
	out := fewer(scriptSteps)
	if len(scriptSteps) == 1 {
		out = append(out, []any{})
	}
	for i, a := range scriptSteps {
		kind, value := scriptStepIn(a)
		if kind == "parallel" {
			for _, branch := range asList(value) {
				out = append(out, slices.Concat(scriptSteps[:i], asList(branch), scriptSteps[i+1:]))
			}
		}
		for _, v := range simplerValues(kind, value) {
			out = append(out, replaced(scriptSteps, i, map[string]any{kind: v}))
		}
	}
	return out
}

// fewer returns the halves of a list and the list without each of its elements; nil for a list of one.
func fewer(list []any) (out [][]any) {
	if len(list) < 2 {
		return nil
	}
	if half := len(list) / 2; half > 1 {
		out = append(out, list[:half], list[half:])
	}
	for i := range list {
		out = append(out, slices.Delete(slices.Clone(list), i, i+1))
	}
	return out
}

// simplest maps members of script steps to simpler values; nil leaves one out. A member of another name stays.
var simplest = map[string]any{
	"arguments": map[string]any{}, "result": nil, "error": nil, "data": 1.0, "value": 1.0, "items": []any{1.0}, "timeoutMs": nil,
	"approval": nil, "client": nil, "waits": nil, "abort": nil, "message": "no",
}

// simplerValues returns simpler values for a script step.
func simplerValues(kind string, value any) (out []any) {
	switch kind {
	case "text", "thinking":
		if short := marked(value); short != value {
			out = append(out, short)
		}
	case "output":
		if value != any(1.0) {
			out = append(out, 1.0)
		}
	case "parallel":
		for _, branches := range simplerLists(asList(value)) {
			out = append(out, branches)
		}
	default:
		out = simplerMembers(asObject(value))
	}
	return out
}

func simplerMembers(members map[string]any) (out []any) {
	set := func(name string, v any) {
		next := map[string]any{}
		for k, old := range members {
			next[k] = old
		}
		if next[name] = v; v == nil {
			delete(next, name)
		}
		out = append(out, next)
	}
	for _, steps := range simplerLists(asList(members["script"])) {
		set("script", steps)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		short, known := simplest[name]
		switch v := members[name]; {
		case known && asText(v) != asText(short):
			set(name, short)
		case name == "name" || name == "type" || name == "eventName" || name == "key":
			if text := marked(v); text != v {
				set(name, text)
			}
		}
	}
	return out
}

// beginnings matches the beginning that makes a text or a name unique.
var beginnings = regexp.MustCompile(`^(?:\[\d+\]|[a-z]+(?:-\d+)+)`)

// marked returns the beginning that makes a text unique, or the text itself if it has none.
func marked(v any) any {
	text, _ := v.(string)
	if short := beginnings.FindString(text); short != "" {
		return short
	}
	return v
}

// scriptStepIn returns the kind of a script step and its value.
func scriptStepIn(a any) (kind string, value any) {
	for kind, value := range asObject(a) {
		return kind, value
	}
	return "", nil
}

// replaced returns a copy of a list with another element at an index.
func replaced(list []any, at int, v any) []any {
	out := slices.Clone(list)
	out[at] = v
	return out
}

func asList(v any) []any { list, _ := v.([]any); return list }

func asObject(v any) map[string]any { object, _ := v.(map[string]any); return object }
