package script

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/redact"
	"github.com/streamcert/streamcert/runner/report"
)

// Call is a request of a scenario, with the data that a script needs to repeat it.
type Call struct {
	*record.Exchange
	Base string // base URL of the replica; "" for that of the target
	Open bool   // its body was still open as the next call began
}

const (
	// mostCalls limits the requests of a script, to keep it readable; the rerun line plays longer ones.
	mostCalls = 30
	// shortestName is the size in bytes from which an id is recognised inside a body.
	shortestName = 6
	// mostBody limits the body of a request, in bytes.
	mostBody = 16 << 10
	// scriptWait is for how many seconds a script waits for one answer, so that it ends where a body doesn't.
	scriptWait = 5
)

// Commands returns shell commands that reproduce the server's response to calls[at] at base. It is one curl line if no call
// before changed anything, else a script that makes all calls, which are in the order in which they were sent; those after
// calls[at] were sent while its body was open. Both are "" if there are too many calls, or one has a body that is too large
// for a line.
func Commands(k report.Recorder, calls []Call, at int, base string) (curl, script string) {
	calls = slices.Clone(calls)
	failing := calls[at]
	if failing.Method == "" {
		return "", ""
	}
	changes := func(c Call) bool { return c.Method != "GET" && c.Method != "HEAD" && c.Method != "OPTIONS" }
	few := len(calls) <= mostCalls
	calls = slices.DeleteFunc(calls, func(c Call) bool {
		return c.Exchange != failing.Exchange && !changes(c) && !(few && c.End == record.ServerClose)
	})
	large := func(c Call) bool { return len(c.Body) > mostBody }
	if len(calls) > mostCalls || slices.ContainsFunc(calls, large) {
		return "", ""
	}
	s := &scripted{recorder: k, base: base}
	if !slices.ContainsFunc(calls, func(c Call) bool { return c.Exchange != failing.Exchange && changes(c) }) {
		for _, name := range chosen(k, calls) {
			if changes(failing) {
				s.names = append(s.names, scriptName{value: name, inShell: name + "-$$"})
			}
		}
		line := "curl "
		if failing.End != record.ServerClose {
			line += fmt.Sprintf("--max-time %d ", scriptWait)
		}
		return line + s.arguments(failing, true), ""
	}
	return "", s.script(calls, failing)
}

// scripted is a script that is being written.
type scripted struct {
	recorder report.Recorder
	base     string // "" once it is the variable base
	secrets  []string
	names    []scriptName
}

// scriptName is an id that is another whenever the script runs.
type scriptName struct {
	value   string
	member  string // of the JSON object in which the server returns it; "" for an id that the script makes
	inShell string // how a shell refers to it
}

func (s *scripted) script(calls []Call, failing Call) string {
	lines := []string{"base=" + s.word(strings.TrimSuffix(s.base, "/"), "secret")}
	s.base = ""
	for i, name := range chosen(s.recorder, calls) {
		variable := fmt.Sprint("name", i+1)
		s.names = append(s.names, scriptName{value: name, inShell: `"$` + variable + `"`})
		lines = append(lines, variable+"="+name+"-$$")
	}
	asked := "" // everything in requests so far
	for i, c := range calls {
		asked += textOf(c)
		later := ""
		for _, next := range calls[i+1:] {
			later += textOf(next)
		}
		lines = append(lines, s.call(c, c.Exchange == failing.Exchange, i+1 < len(calls), s.assigned(c, asked, later)))
	}
	if calls[len(calls)-1].Exchange != failing.Exchange {
		lines = append(lines, `wait; cat "$out"`)
	}
	function := fmt.Sprintf(`call() { curl -sS --max-time %d "$@"; echo; }`, scriptWait)
	return strings.Join(append(append(s.wanted(), function), lines...), "\n")
}

// chosen returns the names in requests that the suite chose. The server knows them by now, so that a script needs others.
func chosen(k report.Recorder, calls []Call) []string {
	if k.Prefix == "" {
		return nil
	}
	names := regexp.MustCompile(regexp.QuoteMeta(k.Prefix) + `-\d+`)
	var out []string
	for _, c := range calls {
		for _, name := range names.FindAllString(textOf(c), -1) {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return len(b) - len(a) }) // none is found inside another
	return out
}

// call returns the line that makes a call. A body that stays open during other calls is read in the background.
func (s *scripted) call(c Call, failing, more bool, names []scriptName) string {
	line := "call " + s.arguments(c, failing)
	switch {
	case failing && more:
		return `out=$(mktemp); ` + line + ` > "$out" & sleep 1`
	case c.Open && more && c.Kind == record.Read:
		return line + ` > /dev/null & sleep 1`
	case len(names) == 0:
		return line
	}
	s.names = append(s.names, names...)
	line = "answer=$(" + line + `); echo "$answer"`
	for _, n := range names {
		line += fmt.Sprintf("\n%s=$(echo \"$answer\" | grep -o '\"%s\" *: *\"[^\"]*\"' | head -n 1 | cut -d '\"' -f 4)", strings.Trim(n.inShell, `"$`), n.member)
	}
	return line
}

// memberName is a name that may be one of a variable.
var memberName = regexp.MustCompile(`^[A-Za-z_]+$`)

// assigned returns the ids that the server chose in its answer to a call: strings that no request had before and a later
// one has.
func (s *scripted) assigned(c Call, asked, later string) []scriptName {
	var out []scriptName
	d := json.NewDecoder(bytes.NewReader(c.Answer))
	member, last := "", json.Token(nil)
	for {
		token, err := d.Token()
		if err != nil {
			return out
		}
		value, isText := token.(string)
		if name, ok := last.(string); ok && isText {
			member = name
		}
		last = token
		first := fmt.Sprintf(`"%s" *: *"([^"]*)"`, member)
		known := func(n scriptName) bool {
			return n.value == value || n.member == member
		}
		if !isText || !memberName.MatchString(member) || len(value) < shortestName || s.has(value) || slices.ContainsFunc(out, known) ||
			strings.Contains(asked, value) || !strings.Contains(later, value) {
			continue
		}
		if found := regexp.MustCompile(first).FindSubmatch(c.Answer); found != nil && string(found[1]) == value {
			out = append(out, scriptName{value, member, fmt.Sprintf(`"$%s%d"`, member, len(s.names)+len(out)+1)})
		}
	}
}

func (s *scripted) has(value string) bool {
	return slices.ContainsFunc(s.names, func(n scriptName) bool { return n.value == value })
}

// textOf returns the request of a call as text.
func textOf(c Call) string {
	text := c.Path + "\n" + string(c.Body) + "\n"
	for _, h := range c.Request.Header {
		text += h.Value + "\n"
	}
	return text
}

// arguments returns the command line of curl for a call, quoted for a shell. head makes curl print the response's header.
func (s *scripted) arguments(c Call, head bool) string {
	var args []string
	if head {
		args = append(args, "-i")
	}
	if c.Kind == record.Read {
		args = append(args, "-N")
	}
	if strings.ContainsAny(c.Path, "[]{}") {
		args = append(args, "-g")
	}
	if strings.Contains(c.Path, "/.") {
		args = append(args, "--path-as-is")
	}
	if c.Method != "GET" {
		args = append(args, "-X", report.Shell(c.Method))
	}
	for _, h := range c.Request.Header {
		line := h.Name + ": " + h.Value
		if h.Value == "" {
			line = h.Name + ";"
		}
		args = append(args, "-H", s.word(line, h.Name))
	}
	if len(c.Body) > 0 {
		args = append(args, "--data-raw", s.word(string(c.Body), "secret"))
	}
	if base := strings.TrimSuffix(cmp.Or(c.Base, s.base), "/"); base != "" {
		return strings.Join(append(args, s.word(base+c.Path, "secret")), " ")
	}
	return strings.Join(append(args, `"$base"`+s.word(c.Path, "secret")), " ")
}

// word returns one argument quoted for a shell, with variables instead of secrets and known ids. secret is the variable of
// a secret.
func (s *scripted) word(text, secret string) string {
	for _, n := range s.names {
		if before, after, found := strings.Cut(text, n.value); found {
			return s.part(before, secret) + n.inShell + s.part(after, secret)
		}
	}
	shown := s.recorder.Redact(text)
	if shown == text {
		return report.Shell(text)
	}
	name := strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(secret))
	if !slices.Contains(s.secrets, name) {
		s.secrets = append(s.secrets, name)
	}
	parts := strings.Split(shown, redact.Mark)
	for i, part := range parts {
		if part != "" {
			parts[i] = report.Shell(part)
		}
	}
	return strings.Join(parts, `"$`+name+`"`)
}

// part is word for a part of an argument, which may be empty.
func (s *scripted) part(text, secret string) string {
	if text == "" {
		return ""
	}
	return s.word(text, secret)
}

// wanted returns the lines that end the script where the secrets aren't set that it needs.
func (s *scripted) wanted() []string {
	var out []string
	for _, name := range s.secrets {
		out = append(out, fmt.Sprintf(`: "${%s:?set it to what the report shows as %s}"`, name, redact.Mark))
	}
	return out
}
