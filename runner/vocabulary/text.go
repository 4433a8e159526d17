package vocabulary

import (
	"fmt"
	"reflect"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/steps"
)

// sentence is a sentence that is being written.
type sentence struct {
	text      strings.Builder
	arguments []Argument
	types     []reflect.Type // of the handler's parameters
	values    []string       // of the groups in an example, the complete text first; nil without one
}

// written returns the text of a definition and its arguments. example is a step that it matches, "" for none.
func written(d *steps.Definition, example string) (text string, arguments []Argument) {
	s := &sentence{arguments: []Argument{}, types: d.Parameters(), values: d.Pattern.FindStringSubmatch(example)}
	s.add(parsed(d.Pattern.String()))
	return s.text.String(), s.arguments
}

// parsed parses an expression that [regexp] has compiled.
func parsed(pattern string) *syntax.Regexp {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return tree
}

// add writes a part of an expression.
func (s *sentence) add(part *syntax.Regexp) {
	switch part.Op {
	case syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpEmptyMatch:
	case syntax.OpLiteral:
		s.text.WriteString(string(part.Rune))
	case syntax.OpConcat:
		for _, sub := range part.Sub {
			s.add(sub)
		}
	case syntax.OpCapture:
		s.argument(part)
	default:
		s.choice(part)
	}
}

// choice writes a part that several texts match, and whose text the handler doesn't take.
func (s *sentence) choice(part *syntax.Regexp) {
	all, finite := texts(part)
	finite = finite && part.MaxCap() == 0
	switch {
	case finite && slices.Contains(all, ""):
		rest := slices.DeleteFunc(all, func(one string) bool { return one == "" })
		s.text.WriteString("[" + strings.Join(rest, "|") + "]")
	case finite:
		s.text.WriteString("(" + strings.Join(all, "|") + ")")
	case part.Op == syntax.OpQuest:
		s.text.WriteString("[")
		s.add(part.Sub[0])
		s.text.WriteString("]")
	default:
		s.text.WriteString("…")
	}
}

// argument writes the name of a group, and adds its description.
func (s *sentence) argument(group *syntax.Regexp) {
	nth := len(s.arguments)
	number := nth < len(s.types) && s.types[nth].Kind() == reflect.Int
	name, takes := describe(group.Sub[0], number)
	if takes == "" && s.values != nil && s.values[nth+1] != "" {
		takes = fmt.Sprintf("a text such as %q", s.values[nth+1])
	} else if takes == "" {
		takes = "a text that matches " + group.Sub[0].String()
	}
	n := 1
	for _, a := range s.arguments {
		if strings.TrimRight(a.Name, "0123456789") == name {
			n++
		}
	}
	if n > 1 {
		name += strconv.Itoa(n)
	}
	s.arguments = append(s.arguments, Argument{name, takes})
	s.text.WriteString("{" + name + "}")
}

// describe returns the name and the description of an argument: by the texts that match, and by whether the handler takes a
// number. takes is "" for a form without a description.
func describe(part *syntax.Regexp, number bool) (name, takes string) {
	all, finite := texts(part)
	pattern := part.String()
	switch {
	case finite && slices.Contains(all, ""):
		return "option", listed(slices.DeleteFunc(all, func(one string) bool { return one == "" })) + ", or nothing"
	case finite && number:
		return "number", listed(all)
	case finite:
		return "choice", listed(all)
	case number:
		return "number", "a number"
	}
	for _, k := range known {
		if k.pattern == pattern {
			return k.name, k.takes
		}
	}
	if part.Op == syntax.OpAlternate {
		for _, sub := range part.Sub {
			one := &sentence{}
			one.add(sub)
			all = append(all, one.text.String())
		}
		return "choice", listed(all)
	}
	return "text", ""
}

// known are forms of arguments that many sentences have, as [syntax.Regexp] writes them.
var known = []struct{ pattern, name, takes string }{
	{simplified(`\d+`), "number", "a number"},
	{simplified(`.+`), "value", "the rest of the line"},
	{simplified(`[^"]+`), "text", "a text without quotes"},
	{simplified(`[^"]*`), "text", "a text without quotes, which may be empty"},
	{simplified(`\{.*\}`), "object", "a JSON object"},
	{simplified(`\[.*\]`), "array", "a JSON array"},
	{simplified(strings.Trim(steps.JSONString, "()")), "string", "a JSON string in its quotes"},
	{simplified(`\w+`), "word", "a word"},
	{simplified(`"[^"]+"(?:, "[^"]+")*`), "list", `texts in quotes, with ", " between them`},
}

// simplified returns an expression as [syntax.Regexp] writes it.
func simplified(pattern string) string { return parsed(pattern).String() }

// listed names texts in a sentence.
func listed(all []string) string {
	var quoted []string
	for _, one := range all {
		if _, err := strconv.Atoi(one); err == nil {
			quoted = append(quoted, one)
		} else {
			quoted = append(quoted, "'"+one+"'")
		}
	}
	if n := len(quoted); n > 1 {
		return strings.Join(quoted[:n-1], ", ") + " or " + quoted[n-1]
	}
	return strings.Join(quoted, "")
}

// mostTexts bounds how many texts a choice has.
const mostTexts = 12

// texts lists every text that an expression matches; finite is false if there are more than mostTexts.
func texts(part *syntax.Regexp) (all []string, finite bool) {
	switch part.Op {
	case syntax.OpEmptyMatch:
		return []string{""}, true
	case syntax.OpLiteral:
		return []string{string(part.Rune)}, true
	case syntax.OpCharClass:
		for i := 0; i < len(part.Rune); i += 2 {
			for r := part.Rune[i]; r <= part.Rune[i+1]; r++ {
				if all = append(all, string(r)); len(all) > 4 {
					return nil, false // a kind of letter, and no choice
				}
			}
		}
		return all, true
	case syntax.OpQuest:
		all, finite = texts(part.Sub[0])
		return append(all, ""), finite
	case syntax.OpCapture:
		return texts(part.Sub[0])
	case syntax.OpAlternate:
		for _, sub := range part.Sub {
			more, ok := texts(sub)
			if all = append(all, more...); !ok || len(all) > mostTexts {
				return nil, false
			}
		}
		return all, true
	case syntax.OpConcat:
		all = []string{""}
		for _, sub := range part.Sub {
			more, ok := texts(sub)
			if !ok || len(all)*len(more) > mostTexts {
				return nil, false
			}
			var next []string
			for _, begin := range all {
				for _, end := range more {
					next = append(next, begin+end)
				}
			}
			all = next
		}
		return all, true
	}
	return nil, false
}
