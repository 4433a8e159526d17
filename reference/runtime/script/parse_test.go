package script

import (
	"encoding/json"
	"errors"
	goparser "go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/schemas"
)

func TestRefused(t *testing.T) {
	for source, want := range map[string]string{
		``: "/script: this is an array of steps", `{}`: "/script: ", `null`: "/script: ",
		`[{"text":"x"}]`:                         "/script/0: this is an array of acts",
		`[[{}]]`:                                 "/script/0/0: an act is",
		`[[null]]`:                               "/script/0/0: an act is",
		`[[{"text":"x","thinking":"y"}]]`:        "/script/0/0: an act is",
		`[[{"sing":"x"}]]`:                       "/script/0/0/sing: there is no such act",
		`[[{"text":1}]]`:                         "/script/0/0/text: this is a text",
		`[[{"text":null}]]`:                      "/script/0/0/text: this is a text",
		`[[{"await":""}]]`:                       "/script/0/0/await: ",
		`[[{"stop":""}]]`:                        "/script/0/0/stop: ",
		`[[{"tool":{}}]]`:                        "/script/0/0/tool: a tool needs a name",
		`[[{"tool":null}]]`:                      "/script/0/0/tool: this is an object",
		`[[{"tool":{"name":"f","wait":"b"}}]]`:   `unknown field "wait"`,
		`[[{"tool":{"name":"f","approval":7}}]]`: "approval is",
		`[[{"tool":{"name":"f","result":1,"error":"x"}}]]`: "not both",
		`[[{"custom":{}}]]`:                                                     "/script/0/0/custom: ",
		`[[{"set":{"key":"k"}}]]`:                                               "/script/0/0/set: ",
		`[[{"append":{"key":"k"}}]]`:                                            "/script/0/0/append: ",
		`[[{"append":{"key":"k","items":{}}}]]`:                                 "/script/0/0/append: ",
		`[[{"delete":{}}]]`:                                                     "/script/0/0/delete: ",
		`[[{"parallel":[{"text":"x"}]}]]`:                                       "/script/0/0/parallel/0: ",
		`[[{"parallel":[[{"output":1}]]}]]`:                                     "output is the last act",
		`[[{"output":1},{"text":"x"}]]`:                                         "/script/0/0: output is the last act",
		`[[{"output":1}],[]]`:                                                   "/script/0/0: output is the last act",
		`[[{"subagent":{"script":[]}}]]`:                                        "needs a type",
		`[[{"subagent":{"type":"r"}}]]`:                                         "/script/0/0/subagent/script: ",
		`[[{"subagent":{"type":"r","script":[[{"set":{"key":"k"}}]]}}]]`:        "/script/0/0/subagent/script/0/0/set: ",
		`[[{"subagent":{"type":"r","script":[],"timeoutMs":1.5}}]]`:             "timeoutMs",
		`[[{"subagent":{"type":"r","script":[],"timeoutMs":-1}}]]`:              "timeoutMs",
		`[[{"subagent":{"type":"r","script":[],"timeoutMs":1e300}}]]`:           "timeoutMs",
		`[[{"subagent":{"type":"r","script":[],"result":1,"error":"x"}}]]`:      "not both",
		`[[{"error":{}}]]`:                                                      "an error needs a message",
		strings.Repeat(`[[{"parallel":`, 70) + `[]` + strings.Repeat(`}]]`, 70): "nested deeper",
		strings.Repeat(`[[{"subagent":{"type":"r","script":`, 70) + `[]` + strings.Repeat(`}}]]`, 70): "nested deeper",
		`[[{"tool":{"name":"f","client":null}}]]`:                                                     "can't be null",
	} {
		_, err := Parse(json.RawMessage(source))
		var refused *Error
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %q", source, err, want)
		}
	}
}

// TestExamples: valid examples of the schema are accepted, and invalid ones are not.
func TestExamples(t *testing.T) {
	set, err := schemas.Load(schemas.FS, "helix")
	if err != nil {
		t.Fatal(err)
	}
	read := func(e schemas.Example) (script json.RawMessage, complete bool) {
		var body struct {
			Stream, AgentType string
			Script            json.RawMessage
		}
		if json.Unmarshal(e.Value, &body) != nil {
			return nil, false
		}
		return body.Script, body.Stream != "" && body.AgentType != ""
	}
	for _, e := range set.Examples("control/run") {
		if script, _ := read(e); script != nil {
			if _, err := Parse(script); err != nil {
				t.Errorf("%s: %v", e.Name, err)
			}
		}
	}
	for _, e := range set.Invalid("control/run") {
		script, complete := read(e)
		if strings.Contains(string(e.Value), "outputSchema") || !complete {
			continue // not the script's fault
		}
		if _, err := Parse(script); err == nil {
			t.Errorf("%s: taken", e.Name)
		}
	}
}

// TestImports: a script that could write chunks would prove nothing of the runtime.
func TestImports(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := goparser.ParseFile(token.NewFileSet(), f.Name(), nil, goparser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			seen++
			if offends(strings.Trim(i.Path.Value, `"`)) {
				t.Errorf("%s imports %s", f.Name(), i.Path.Value)
			}
		}
	}
	if seen == 0 {
		t.Error("no import was found")
	}
	for _, name := range []string{"github.com/streamcert/streamcert/reference/store", "golang.org/x/net"} {
		if !offends(name) {
			t.Errorf("%s is let through", name)
		}
	}
}

func offends(name string) bool {
	return strings.Contains(name, ".") && !slices.Contains([]string{"github.com/streamcert/streamcert/reference/runtime"}, name)
}
