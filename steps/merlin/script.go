package merlin

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/steps"
)

// Script reads the script of a scenario: one line for each event, in order, with its actor first. It returns the members of the
// request that describe the beginning of the stream, as a JSON object without its braces, and the instructions as a JSON array. The error
// quotes the line that is none.
//
//	the global index is 3
//	the model sends the text "It is far." of index 0
//	the application creates the step "Read" with the icon BOOK
func Script(text string) (start, instructions []byte, err error) {
	begin, list := object{}, []object{}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimSpace(line)
		if !begins(begin, line) {
			instruction := meaning(slices.Concat(ofModel, others), line)
			if instruction == nil {
				return nil, nil, fmt.Errorf("no line of a script: %s", line)
			}
			list = added(list, instruction)
		}
	}
	if start, err = json.Marshal(begin); err != nil {
		return nil, nil, fmt.Errorf("writing a script: %w", err)
	}
	if instructions, err = json.Marshal(list); err != nil {
		return nil, nil, fmt.Errorf("writing a script: %w", err)
	}
	return start[1 : len(start)-1], instructions, nil
}

// object is a JSON object. Values of lines are raw JSON, since a string may hold half a character.
type object = map[string]any

// verb is a kind of line.
type verb struct {
	line *regexp.Regexp // a pattern for the complete line
	// means returns the members that a line stands for, given its captures; those that are optional may be empty.
	means func(captured []string) object
}

func verbOf(pattern string, means func(captured []string) object) verb {
	replaced := strings.NewReplacer("TEXT", steps.JSONString, "NUMBER", `(\d+)`, "NAME", `(\w+)`).Replace(pattern)
	return verb{regexp.MustCompile(`^` + replaced + `$`), means}
}

// beginnings are lines about the request.
var beginnings = []verb{
	verbOf(`the global index is NUMBER`, func(c []string) object { return object{"globalIndex": raw(c[0])} }),
	verbOf(`the event manager has the index NUMBER`, func(c []string) object { return object{"eventManagerIndex": raw(c[0])} }),
	verbOf(`the event manager has the version NUMBER`, func(c []string) object { return object{"manager": "V" + c[0]} }),
	verbOf(`the caller asks for the index NUMBER`, func(c []string) object { return object{"contentIndex": raw(c[0])} }),
	verbOf(`the stream is suppressed`, func([]string) object { return object{"suppress": true} }),
	verbOf(`the message has the attachment TEXT of the type NAME at TEXT`, func(c []string) object {
		return object{"attachments": object{"title": raw(c[0]), "type": c[1], "url": raw(c[2])}}
	}),
}

// ofModel are instructions of a model, that of the stream or that of a sub-agent.
var ofModel = []verb{
	verbOf(`the model sends the text TEXT(?: of index NUMBER)?`, func(c []string) object {
		return object{"delta": with(object{"content": raw(c[0])}, "index", raw(c[1]))}
	}),
	verbOf(`the model sends the reasoning TEXT of index NUMBER(?:, of the id TEXT)?(?:, signed TEXT)?`, func(c []string) object {
		reasoning := object{"text": raw(c[0]), "index": raw(c[1])}
		return object{"delta": object{"reasoning": with(with(reasoning, "id", raw(c[2])), "signature", raw(c[3]))}}
	}),
	verbOf(`the model cites TEXT of document NUMBER at index NUMBER`, func(c []string) object {
		return object{"delta": object{"citation": object{"cited_text": raw(c[0]), "document_index": raw(c[1])}, "index": raw(c[2])}}
	}),
	verbOf(`the model calls (.+)`, func(c []string) object {
		return calls(c[0], called, func(m []string) object {
			return object{"type": "function", "function": object{"name": m[1], "arguments": raw(m[2])}, "index": raw(m[3]), "id": m[4]}
		})
	}),
	verbOf(`the model continues (.+)`, func(c []string) object {
		return calls(c[0], continued, func(m []string) object {
			return object{"function": object{"arguments": raw(m[2])}, "index": raw(m[1])}
		})
	}),
	verbOf(`the model uses (.+)`, func(c []string) object {
		usage := object{}
		for _, m := range items(used, c[0]) {
			usage[m[2]] = raw(m[1])
		}
		return unlessEmpty(len(usage), object{"usage": usage})
	}),
	verbOf(`the model sends the bytes TEXT`, func(c []string) object { return object{"bytes": raw(c[0])} }),
	verbOf(`the model sends pieces of NUMBER bytes?`, func(c []string) object { return object{"split": raw(c[0])} }),
	verbOf(`the model breaks off`, func([]string) object { return object{"abort": true} }),
}

// others are the instructions of everybody else.
var others = []verb{
	verbOf(`the user stops the request`, func([]string) object { return object{"stop": true} }),
	verbOf(`the script waits for TEXT`, func(c []string) object { return object{"await": raw(c[0])} }),
	verbOf(`the agent TEXT takes over`, func(c []string) object { return object{"handoff": raw(c[0])} }),
	verbOf(`the tool NAME returns TEXT to NAME, of index NUMBER`, func(c []string) object {
		return object{"toolResult": object{"name": c[0], "result": raw(c[1]), "toolCallId": c[2], "index": raw(c[3])}}
	}),
	verbOf(`the (suppressed )?sub-agent NUMBER (sends .+)`, func(c []string) object {
		instruction := meaning(ofModel, "the model "+c[2])
		if instruction == nil {
			return nil
		}
		agent := object{"index": raw(c[1]), "acts": []object{instruction}}
		if c[0] != "" {
			agent["suppress"] = true
		}
		return object{"subagent": agent}
	}),
	progress("create", `creates the step TEXT(?: with the icon NAME)?`, func(c []string) object { return icon(object{"step": raw(c[0])}, c[1]) }),
	progress("send", `adds (.+) to the step TEXT`, func(c []string) object {
		values := []object{}
		for _, m := range items(typed, c[0]) {
			values = append(values, object{"type": m[1], "value": raw(m[2])})
		}
		return unlessEmpty(len(values), object{"step": raw(c[1]), "values": values})
	}),
	progress("tags", `tags the step TEXT with (.+)`, func(c []string) object {
		tags := []any{}
		for _, m := range items(quoted, c[1]) {
			tags = append(tags, raw(m[0]))
		}
		return unlessEmpty(len(tags), object{"step": raw(c[0]), "tags": tags})
	}),
	progress("latest", `asks for the latest step TEXT`, func(c []string) object { return object{"step": raw(c[0])} }),
	progress("rename", `names the manager TEXT with the icon NAME`, func(c []string) object { return icon(object{"name": raw(c[0])}, c[1]) }),
	progress("end", `ends the step TEXT`, func(c []string) object { return object{"step": raw(c[0])} }),
}

// Items of a line that has several, separated by commas.
var (
	quoted    = regexp.MustCompile(steps.JSONString)
	typed     = regexp.MustCompile(`([A-Z]+) ` + steps.JSONString)
	used      = regexp.MustCompile(`(\d+) (\w+)`)
	called    = regexp.MustCompile(`(\w+) with ` + steps.JSONString + ` at (\d+) as (\w+)`)
	continued = regexp.MustCompile(`the call at (\d+) with ` + steps.JSONString)
)

// items returns the matches of an item in a list, with commas between them; none if anything else is in it.
func items(item *regexp.Regexp, list string) [][]string {
	found := item.FindAllStringSubmatch(list, -1)
	complete := make([]string, len(found))
	for i, m := range found {
		complete[i] = m[0]
	}
	if strings.Join(complete, ", ") != list {
		return nil
	}
	return found
}

// progress is a line about the event manager, which the application uses.
func progress(do, pattern string, means func(captured []string) object) verb {
	return verbOf(`the application `+pattern, func(c []string) object {
		members := means(c)
		if members == nil {
			return nil
		}
		members["do"] = do
		return object{"progress": members}
	})
}

// calls returns the event of a model with entries of calls, those of one line.
func calls(list string, item *regexp.Regexp, entry func(m []string) object) object {
	var entries []object
	for _, m := range items(item, list) {
		entries = append(entries, entry(m))
	}
	return unlessEmpty(len(entries), object{"delta": object{"tool_calls": entries}})
}

// unlessEmpty returns the members of a line with so many items; nil if the list could not be read.
func unlessEmpty(items int, members object) object {
	if items == 0 {
		return nil
	}
	return members
}

// raw is the JSON of a capture; nil if it is empty.
func raw(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

// with gives an object a member, unless there is no value.
func with(o object, name string, value json.RawMessage) object {
	if value != nil {
		o[name] = value
	}
	return o
}

// icon gives an object an icon, unless there is none.
func icon(o object, name string) object {
	if name != "" {
		o["icon"] = name
	}
	return o
}

// begins adds a line about the beginning of a stream to its members; false for other lines.
func begins(begin object, line string) bool {
	members := meaning(beginnings, line)
	for name, value := range members {
		if attachment, is := value.(object); is {
			list, _ := begin[name].([]object)
			value = append(list, attachment)
		}
		begin[name] = value
	}
	return members != nil
}

// meaning returns the members that a line stands for; nil if it is none of some verbs.
func meaning(of []verb, line string) object {
	for _, v := range of {
		if m := v.line.FindStringSubmatch(line); m != nil {
			return v.means(m[1:])
		}
	}
	return nil
}

// added appends an instruction; consecutive ones of one sub-agent become one.
func added(list []object, instruction object) []object {
	agent, is := instruction["subagent"].(object)
	if is && len(list) > 0 {
		if last, too := list[len(list)-1]["subagent"].(object); too && fmt.Sprint(last["index"], last["suppress"]) == fmt.Sprint(agent["index"], agent["suppress"]) {
			last["acts"] = append(last["acts"].([]object), agent["acts"].([]object)...)
			return list
		}
	}
	return append(list, instruction)
}
