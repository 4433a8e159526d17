package target

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSettingsShowNoSecret: a report contains the settings of a config, and of possible secrets only that they are set.
func TestSettingsShowNoSecret(t *testing.T) {
	const src = `
target: {url: 'http://me:pass-word@host/api', commit: '${COMMIT}'}
headers: {Authorization: Bearer head-secret}
control: {token: '${TOKEN}'}
launch: {command: [server, --key, flag-secret], env: {DATABASE: 'db://u:env-secret@h'}}
timing: {deadline: 2s}
packs: [aep, helix]
`
	c, err := readConfig("c.yaml", []byte(src), env(map[string]string{"COMMIT": "abc", "TOKEN": "token-secret"}), nil, "aep", "helix")
	if err != nil {
		t.Fatal(err)
	}
	tg, err := New(c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	got := tg.Settings()
	want := []string{
		"target.url: http://***@host/api", "target.commit: abc", "headers: (not shown)", "control.token: (not shown)", "timing.deadline: 2s",
		"launch.command: (not shown)", "launch.env: (not shown)", "packs: aep, helix",
	}
	if text := strings.Join(got, "\n"); strings.Contains(text, "secret") || strings.Contains(text, "pass-word") {
		t.Errorf("a secret is shown:\n%s", text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
