package draw

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	runmodel "github.com/streamcert/streamcert/runner/model/helix/run"
	"github.com/streamcert/streamcert/runner/shrink"
)

// TestScriptsShrink: a large script shrinks to the script steps that its failure needs.
func TestScriptsShrink(t *testing.T) {
	long := strings.Repeat("😀", 64)
	script := `[[{"text":"[1]` + long + `"},{"parallel":[[{"text":"[2]"},{"tool":{"name":"tool-3` + long + `","arguments":{"a":[1,2]},"result":7}}],
		[{"subagent":{"type":"helper-4` + long + `","timeoutMs":10,"result":"true","script":[[{"text":"[5]"}],[{"parallel":[[{"thinking":"[6]"}],
		[{"subagent":{"type":"helper-7","timeoutMs":10,"script":[[{"text":"[8]` + long + `"},{"await":"b9"}]]}}]]},{"set":{"key":"key-1","value":{"a":1}}}]]}}]]}],
		[{"custom":{"eventName":"event-10","data":{"a":1}}},{"output":[1,2]}]]`
	for name, c := range map[string]struct {
		needs []string
		want  string
	}{
		"a child of a child":    {[]string{`"b9"`}, `[[{"await":"b9"}]]`},
		"a child that waits":    {[]string{`"timeoutMs":10`, `"b9"`}, `[[{"subagent":{"script":[[{"await":"b9"}]],"timeoutMs":10,"type":"helper-7"}}]]`},
		"a text beside a child": {[]string{"[2]", "subagent"}, ``},
		"a long text":           {[]string{"[8]" + long}, `[[{"text":"[8]` + long + `"}]]`},
		"a tool":                {[]string{"tool-3"}, `[[{"tool":{"arguments":{},"name":"tool-3"}}]]`},
	} {
		played := 0
		got := shrink.List([]string{script}, simplerScripts, 200, func(p []string) bool {
			played++
			if _, err := runmodel.ParseScript([]byte(p[0])); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, p[0])
			}
			for _, n := range c.needs {
				if !strings.Contains(p[0], n) {
					return false
				}
			}
			return true
		})[0]
		if c.want != "" && got != c.want || len(got) > 400 || !json.Valid([]byte(got)) {
			t.Errorf("%s: after %d programs\n%s", name, played, got)
		}
	}
}

// TestOneStreamIsEnough: shrinking drops the operations on all other streams at once.
func TestOneStreamIsEnough(t *testing.T) {
	p := program.Program{Streams: 3, Names: "longest", Operations: []program.Operation{
		{Kind: program.Info}, {Kind: program.Attach, Who: 1, Stream: 1}, {Kind: program.Attach, Who: 1, Stream: 2}, {Kind: program.Pause, Stream: 1}, {Kind: program.Info, Stream: 2},
	}}
	played := 0
	f := Shrunk(&program.Failure{Program: p}, 4, func(shorter program.Program) *program.Failure {
		if played++; !strings.Contains(shorter.String(), program.Operation{Kind: program.Pause}.String()) {
			return nil
		}
		return &program.Failure{Program: shorter}
	})
	if want := "1 stream\n" + (program.Operation{Kind: program.Pause}).String(); f.Program.String() != want || played > 7 {
		t.Errorf("after %d programs\n%v\nexpected\n%s", played, f.Program, want)
	}
}
