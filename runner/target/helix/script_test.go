package helix

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target"
)

func compiled(t *testing.T, script string, stepwise bool) (provider.Script, error) {
	t.Helper()
	lines, err := Steps(script)
	if err != nil {
		t.Fatal(err)
	}
	return modelled(Run{Script: lines, Stepwise: stepwise}, true)
}

func TestScriptsOfTheModel(t *testing.T) {
	call := func(n int) provider.Call { return provider.Call{Name: "f", Arguments: `{"a":1}`, Tool: n, Fit: true} }
	f := `{"tool":{"name":"f","arguments":{"a": 1},"result":1}}`
	for script, want := range map[string][]provider.Step{
		`[{"thinking":"hm"},{"text":"a"}]`:                  {{Actions: []provider.Action{provider.Thinking("hm"), provider.Text("a")}}},
		`[{"text":"a"},` + f + `]` + "\n[{\"text\":\"b\"}]": {{Actions: []provider.Action{provider.Text("a"), call(0)}}, {Actions: []provider.Action{provider.Text("b")}}},
		`[{"text":"a"},{"stop":"max_tokens"}]`:              {{Actions: []provider.Action{provider.Text("a")}, Finish: "length"}},
	} {
		got, err := compiled(t, script, true)
		if diff := cmp.Diff(want, got.Steps); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", script, err, diff)
		}
	}
	two := `[` + f + `,{"text":"b"}]`
	if got, err := compiled(t, two, false); err != nil || len(got.Steps) != 2 {
		t.Errorf("%s, where steps don't matter: %+v %v", two, got, err)
	}
	for _, script := range []string{
		two, `[` + f + `]`, "[{\"text\":\"a\"}]\n[{\"text\":\"b\"}]", `[{"await":"b"}]`, `[{"set":{"key":"k","value":1}}]`, `[{"output":1}]`,
		`[{"thinking":"a"},{"thinking":"b"}]`, `[{"text":"a"},{"error":{"message":"m","code":"provider_auth_error"}}]`, ``,
		`[{"error":{"message":"m","code":"provider_overloaded","retryable":true}}]`, `[{"stop":"unknown"}]`, `[{"stop":"end_turn"},{"text":"a"}]`,
	} {
		if got, err := compiled(t, script, true); !errors.As(err, new(*target.Beyond)) {
			t.Errorf("%s: %+v %v", script, got, err)
		}
	}
}
