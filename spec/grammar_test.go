package spec_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/spec"
)

// grammar makes regular expressions of the rules of an ABNF, a subset of RFC 5234 with the strings of RFC 7405.
type grammar map[string]string

// core has the rules of RFC 5234 that every grammar has.
var core = grammar{"DIGIT": "%x30-39", "ALPHA": "%x41-5A / %x61-7A", "SP": "%x20", "VCHAR": "%x21-7E"}

// readGrammar reads the rules of a text, a line each.
func readGrammar(text string) (grammar, error) {
	out := grammar{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, ";")
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, elements, found := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); !found || out[name] != "" {
			return nil, fmt.Errorf("%q is no rule, or its name has one", line)
		}
		out[name] = strings.TrimSpace(elements)
	}
	return out, nil
}

var token = regexp.MustCompile(`^(?:(\d*\*\d*|\d+)?(\(|\[|%s"[^"]*"|"[^"]*"|%x[0-9A-F]+(?:-[0-9A-F]+)?|[A-Za-z][A-Za-z0-9-]*)|/|\)|\])`)

// expression returns the regular expression of elements. level counts the rules that lead here: a rule can't contain itself.
func (g grammar) expression(elements string, level int) (string, error) {
	if level > 20 {
		return "", fmt.Errorf("%q contains itself", elements)
	}
	out, ends := "(?:", []string{}
	for rest := strings.TrimSpace(elements); rest != ""; rest = strings.TrimSpace(rest) {
		m := token.FindStringSubmatch(rest)
		if m == nil {
			return "", fmt.Errorf("%q can't be read", rest)
		}
		rest = rest[len(m[0]):]
		repeat := ""
		if least, most, ranged := strings.Cut(m[1], "*"); ranged {
			repeat = "{" + map[bool]string{true: "0", false: least}[least == ""] + "," + most + "}"
		} else if m[1] != "" {
			repeat = "{" + m[1] + "}"
		}
		switch element := m[2]; {
		case m[0] == "/":
			out += "|"
		case m[0] == ")" || m[0] == "]":
			if len(ends) == 0 {
				return "", fmt.Errorf("%q closes nothing", elements)
			}
			out, ends = out+ends[len(ends)-1], ends[:len(ends)-1]
		case element == "(" || element == "[":
			end := ")" + repeat
			if element == "[" {
				end = ")?"
			}
			out, ends = out+"(?:", append(ends, end)
		case strings.HasPrefix(element, "%s"):
			out += "(?:" + regexp.QuoteMeta(strings.Trim(element[2:], `"`)) + ")" + repeat
		case element[0] == '"':
			out += "(?i:" + regexp.QuoteMeta(strings.Trim(element, `"`)) + ")" + repeat
		case strings.HasPrefix(element, "%x"):
			first, last, ranged := strings.Cut(element[2:], "-")
			if !ranged {
				last = first
			}
			out += `[\x{` + first + `}-\x{` + last + "}]" + repeat
		default:
			of := g[element]
			if of == "" {
				of = core[element]
			}
			if of == "" {
				return "", fmt.Errorf("there is no rule %s", element)
			}
			inner, err := g.expression(of, level+1)
			if err != nil {
				return "", err
			}
			out += inner + repeat
		}
	}
	if len(ends) > 0 {
		return "", fmt.Errorf("%q opens more than it closes", elements)
	}
	return out + ")", nil
}

// row matches a line of the table below a grammar: a rule, texts that it matches and texts that it doesn't.
var row = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| ([^|]*) \\| ([^|]*) \\| ([^|]*) \\|$")

var span = regexp.MustCompile("`([^`]*)`")

// TestGrammars: the appendix of each pack has a grammar that can be read and that its table, its requirements and each event of
// the goldens follow.
func TestGrammars(t *testing.T) {
	book, _, err := spec.Load(spec.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, pack := range book.Packs() {
		text, err := fs.ReadFile(spec.FS, pack+"/appendix.md")
		if err != nil {
			t.Error(err)
			continue
		}
		_, block, _ := strings.Cut(string(text), "```abnf\n")
		block, _, _ = strings.Cut(block, "```\n")
		g, err := readGrammar(block)
		if err != nil {
			t.Errorf("%s: %v", pack, err)
		}
		rules := map[string]*regexp.Regexp{}
		for name, elements := range g {
			x, err := g.expression(elements, 0)
			if err != nil {
				t.Errorf("%s: %s: %v", pack, name, err)
				continue
			}
			rules[name] = regexp.MustCompile("^" + x + "$")
		}
		table := row.FindAllStringSubmatch(string(text), -1)
		if len(table) == 0 {
			t.Errorf("%s: no table of the grammar", pack)
		}
		for _, r := range table {
			for column, want := range map[int]bool{2: true, 3: false} {
				for _, x := range span.FindAllStringSubmatch(r[column], -1) {
					if rules[r[1]] == nil || rules[r[1]].MatchString(x[1]) != want {
						t.Errorf("%s: %s and %q: expected that it matches: %t", pack, r[1], x[1], want)
					}
				}
			}
			for _, id := range span.FindAllStringSubmatch(r[4], -1) {
				if _, ok := book.Get(id[1]); !ok {
					t.Errorf("%s: %s: there is no requirement %s", pack, r[1], id[1])
				}
			}
		}
		if n := goldenLines(t, pack, rules); n == 0 {
			t.Errorf("%s: no line of a golden has a rule", pack)
		}
	}
}

var mark = regexp.MustCompile(`\[[a-z]+: [^\]"]*\]`)

// goldenLines matches the fields of events, and the marks in their data, in the goldens of a pack, and returns how many have a
// rule.
func goldenLines(t *testing.T, pack string, rules map[string]*regexp.Regexp) (matched int) {
	t.Helper()
	check := func(name, text, file string) {
		if rule := rules[name]; rule == nil || !rule.MatchString(text) {
			t.Errorf("%s: %q doesn't follow the rule %s", file, text, name)
		} else {
			matched++
		}
	}
	files, err := fs.Glob(os.DirFS("../golden"), path.Join(pack, "*", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal(pack, err)
	}
	for _, file := range files {
		text, err := os.ReadFile("../golden/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case strings.HasPrefix(line, "id: "):
				check("id-line", line, file)
			case strings.HasPrefix(line, "event: "):
				check("event-line", line, file)
			case strings.HasPrefix(line, "data: [D"):
				check("done-line", line, file)
			case strings.HasPrefix(line, "data: {") && rules["mark"] != nil:
				for _, m := range mark.FindAllString(line, -1) {
					check("mark", m, file)
				}
			}
		}
	}
	return matched
}

// TestGrammarProblems: what isn't ABNF is refused.
func TestGrammarProblems(t *testing.T) {
	for text, want := range map[string]string{
		"a b": "is no rule", "a = \"x\"\na = \"y\"": "its name has one", "a = (\"x\"": "opens more", "a = \"x\" )": "closes nothing",
		"a = b": "there is no rule b", "a = a": "contains itself", "a = 'x'": "can't be read",
	} {
		g, err := readGrammar(text)
		if err == nil {
			_, err = g.expression(g["a"], 0)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}
