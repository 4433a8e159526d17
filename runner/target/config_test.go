package target

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func env(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}
}

// words is the section of a pack that is made for these tests.
type words struct {
	Least int               `key:"least" min:"1" default:"3" doc:"how many words are sent at least"`
	Other map[string]string `key:"other" doc:"the headers of another user"`
}

func (w words) Principals() map[User]map[string]string {
	return map[User]map[string]string{"other": w.Other}
}

func readConfig(name string, src []byte, env func(string) (string, bool), capabilities []string, packs ...string) (Config, error) {
	toy := Section{Name: "words", New: func() any { return &words{} }, Routes: []Route{reading(), telling()}}
	return Format{Sections: []Section{toy}, Capabilities: capabilities, Packs: packs}.Read(name, src, Environment{Lookup: env})
}

var capabilities = []string{"resume", "truncation", "reset", "status", "info", "auth", "cors"}

func TestReadConfig(t *testing.T) {
	src := `
target:
  url: https://agent.example/api
routes:
  read: /s/{stream}/live
  control: /test/
headers:
  Authorization: Bearer ${TOKEN}
control: {token: "${CONTROL}"}
without: [truncation, reset]
timing:
  deadline: 2s
  heartbeat: 15s
  scenario: 30s
  scale: 2
limits:
  frame: 1MiB
  answer: 2000
  scenario: 1GiB
`
	got, err := readConfig("streamcert.yaml", []byte(src), env(map[string]string{"TOKEN": "abc123", "CONTROL": "ctl"}), capabilities)
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		URL: "https://agent.example/api", Routes: map[string]string{"read": "/s/{stream}/live", "control": "/test"},
		Headers: map[string]string{"Authorization": "Bearer abc123"}, ControlToken: "ctl", Without: []string{"truncation", "reset"},
		Timing: Timing{Deadline: 2 * time.Second, Heartbeat: 15 * time.Second, Scenario: 30 * time.Second, Scale: 2},
		Limits: Limits{Frame: 1 << 20, Answer: 2000, Scenario: 1 << 30}, Secrets: []string{"abc123", "ctl"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Config{}, "Settings")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	tg, err := New(got, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := tg.Timing().Deadline; d != 4*time.Second {
		t.Errorf("scaled deadline %v, want 4s", d)
	}
	if d := tg.Timing().Delivery; d != 4*time.Second {
		t.Errorf("scaled time of delivery %v, want the deadline's 4s", d)
	}
	if d := tg.Timing().Scenario; d != time.Minute {
		t.Errorf("scaled time of a scenario %v, want 1m", d)
	}
	if s := tg.Redact("Authorization: Bearer abc123, again abc123"); strings.Contains(s, "abc123") {
		t.Errorf("a secret is visible in %q", s)
	}
}

func TestReadConfigErrors(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"unknown key", "target:\n  url: http://x\ntimming:\n  idle: 1s\n", "c.yaml:3: unknown key `timming` (did you mean `timing`?); expected one of target, targets, routes, headers, control, without, timing, limits"},
		{"an inner key outside", "url: http://x\n", "c.yaml:1: unknown key `url`; it belongs below `target`"},
		{"an outer key inside", "target:\n  url: http://x\n  headers:\n    A: b\n", "c.yaml:3: unknown key `headers` below `target`; it belongs at the beginning of a line"},
		{"unknown inner key", "target:\n  uri: http://x\n", "c.yaml:2: unknown key `uri` (did you mean `url`?); expected one of url"},
		{"twice", "target: {url: http://x}\nheaders:\n  A: b\n  A: c\n", "c.yaml"},
		{"no YAML", "target: [\n", "c.yaml"},
		{"a list", "- a\n- b\n", "c.yaml:1: the file must be a mapping"},
		{"bad URL", "target:\n  url: ftp://x\n", `c.yaml:2: target.url: "ftp://x" must begin with http:// or https://`},
		{"route without stream", "routes:\n  read: /events\n", "c.yaml:2: routes.read must contain {stream}"},
		{"bad duration", "timing:\n  deadline: soon\n", `c.yaml:2: timing.deadline must be a duration from 1ms to 24h such as 250ms or 5s, got "soon"`},
		{"a deadline that nobody can meet", "timing:\n  deadline: 1ns\n", `c.yaml:2: timing.deadline must be a duration from 1ms to 24h`},
		{"bad scale", "timing:\n  scale: -1\n", "c.yaml:2: timing.scale must be a number above 0"},
		{"no size", "limits:\n  frame: 16MB\n", `c.yaml:2: limits.frame must be a number of bytes such as 65536 or 16MiB, 1KiB at least, got "16MB"`},
		{"limit of nothing", "limits:\n  answer: 0\n", "c.yaml:2: limits.answer must be a number of bytes"},
		{"limit too large", "limits:\n  scenario: 999999999999GiB\n", "c.yaml:2: limits.scenario must be a number of bytes"},
		{"unknown limit", "limits:\n  frames: 1MiB\n", "c.yaml:2: unknown key `frames` (did you mean `frame`?)"},
		{"unset variable", "control:\n  token: ${NOPE}\n", "c.yaml:2: control.token needs the environment variable NOPE"},
		{"unknown capability", "without:\n  - resum\n", "c.yaml:2: without: unknown capability `resum` (did you mean `resume`?)"},
		{"without a list", "without: resume\n", "c.yaml:1: without must be a list"},
		{"header value", "headers:\n  A: \"b\\nc\"\n", "c.yaml:2: headers.A: the value holds a character"},
		{"value a mapping", "control:\n  token: {a: b}\n", "c.yaml:2: control.token must be a single value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readConfig("c.yaml", []byte(c.src), env(nil), capabilities)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v\nwant one line with %s", err, c.want)
			}
		})
	}
}

// TestConfigErrorsNameVariables: a value that came from a variable may be a secret.
func TestConfigErrorsNameVariables(t *testing.T) {
	secret := env(map[string]string{"HIDDEN": "do-not-show-this"})
	for src, want := range map[string]string{
		"target: {url: \"ftp://${HIDDEN}@x\"}\n": "${HIDDEN}",
		"timing: {deadline: \"${HIDDEN}\"}\n":    "${HIDDEN}",
		"baseline: ${HIDDEN}\n":                  "${HIDDEN}",
	} {
		if _, err := readConfig("c.yaml", []byte(src), secret, nil); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "do-not-show") {
			t.Errorf("%q: got %v, want %s in it", src, err, want)
		}
	}
}

func FuzzReadConfig(f *testing.F) {
	f.Add("target: {url: http://x}\nwithout: [resume]\n")
	f.Add("headers:\n  A: |\n    b\n")
	f.Add("timing: &a {idle: 1s}\nroutes: *a\n")
	f.Fuzz(func(_ *testing.T, src string) {
		_, _ = readConfig("c.yaml", []byte(src), env(nil), capabilities)
	})
}

func TestClaims(t *testing.T) {
	bare, err := New(Config{URL: "http://x", Without: []string{"reset"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if bare.Claims("reset") || bare.Claims("auth") || !bare.Claims("resume") {
		t.Error("without a reset and without headers, resume is claimed, reset and auth are not")
	}
	with, err := New(Config{URL: "http://x", Headers: map[string]string{"Authorization": "x"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !with.Claims("auth") {
		t.Error("with a configured header, auth is claimed")
	}
}

func TestEscapeSegment(t *testing.T) {
	for in, want := range map[string]string{
		"a": "a", "..": "%2E%2E", ".": "%2E", "a/b": "a%2Fb", "a b": "a%20b", "a?b#c": "a%3Fb%23c", "%78": "%2578", "é": "%C3%A9", "a\r\nb": "a%0D%0Ab",
	} {
		if got := EscapeSegment(in); got != want {
			t.Errorf("EscapeSegment(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestConfigNamesTheServer: each part comes from the file or from the environment, and none is a secret.
func TestConfigNamesTheServer(t *testing.T) {
	src := "target: {url: http://x, name: agents, version: 1.4.0, commit: \"${COMMIT}\"}\n"
	got, err := Format{}.Read("c.yaml", []byte(src), Environment{
		Lookup: env(map[string]string{"COMMIT": "abc1234"}), Variables: []string{"STREAMCERT_TARGET_VERSION=1.5.0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	tg, err := New(got, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	if name, version, commit := tg.Identity(); name != "agents" || version != "1.5.0" || tg.Redact(commit) != "abc1234" {
		t.Errorf("the server is %q, %q, %q", name, version, commit)
	}
}
