package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/files/yaml"
)

// clock is a config of every kind.
type clock struct {
	_     struct{}          `key:"face" doc:"what is seen"`
	Color string            `key:"face.color" kind:"name" names:"a color" doc:"its color"`
	Token string            `key:"token" kind:"secret" doc:"a secret"`
	Words []string          `key:"words" of:"word,words" doc:"what it says"`
	Parts []string          `key:"parts" min:"1" of:"part,parts" doc:"what it is made of"`
	Heads map[string]string `key:"heads" doc:"headers"`
	Hands hands             `key:"hands" doc:"what moves"`
}

type hands struct {
	EveryTick time.Duration `key:"everyTick" default:"1s" doc:"how long a tick is"`
	Weight    int64         `key:"weight" max:"1MiB" doc:"how heavy"`
	Number    int           `key:"number" min:"1" max:"3" default:"2" doc:"how many"`
	Speed     float64       `key:"speed" max:"10" default:"1" doc:"how fast"`
	Lit       bool          `key:"lit" doc:"glows"`
	Env       []string      `key:"env" kind:"environment" doc:"variables"`
	Wind      []string      `key:"wind" kind:"command" doc:"a command"`
	Stop      string        `key:"stop" kind:"signal" doc:"a signal"`
	Home      string        `key:"home" kind:"path" doc:"a folder"`
}

// read reads a text and variables, with ${SET} for a value.
func read(text string, variables ...string) (clock, Positions, error) {
	var c clock
	keys := Keys(&c)
	Find(keys, "parts").Words = []string{"spring", "wheel"}
	places, err := Read(keys, Input{
		File: "there/c.yaml", Text: []byte(text), Variables: variables, Prefix: "CLOCK_",
		Lookup:  func(name string) (string, bool) { return "of-" + name, name != "UNSET" },
		Ignored: func(name string) bool { return name == "CLOCK_TEST" },
	})
	return c, places, err
}

func TestRead(t *testing.T) {
	got, places, err := read(`
face: {color: red}
token: a ${NAME} b
words: [a, a]
heads: {x-a: "1"}
hands:
  everyTick: 2s
  weight: 4KiB
  speed: 0.5
  lit: true
  env: {B: 1, A: x=y}
  wind: [./wind, 3]
  stop: int
  home: home
`)
	want := clock{Color: "red", Token: "a of-NAME b", Words: []string{"a", "a"}, Heads: map[string]string{"X-A": "1"}, Hands: hands{
		EveryTick: 2 * time.Second, Weight: 4096, Speed: 0.5, Lit: true, Env: []string{"A=x=y", "B=1"}, Wind: []string{"./wind", "3"}, Stop: "SIGINT", Home: "there/home",
	}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if at := places.Of("hands.lit"); at.Line != 10 || places.Has("hands.number") || places.Of("hands.number").Line != 7 || places.Of("parts").Line != 0 {
		t.Errorf("places are %v", places)
	}
	SetDefaults(&got)
	if got.Hands.Number != 2 || got.Hands.EveryTick != 2*time.Second {
		t.Errorf("with its defaults the config is %+v", got.Hands)
	}
	if diff := cmp.Diff([]string{"a of-NAME b", "1"}, Secrets(&got)); diff != "" {
		t.Errorf("secrets (-want +got):\n%s", diff)
	}
}

func TestReadVariables(t *testing.T) {
	const file = "heads: {x-a: file, x-b: file}\nwords: [file]\ntoken: file\nhands: {everyTick: soon, env: {A: file}}\n"
	got, places, err := read(file, "CLOCK_HEADS_X_A=variable", "CLOCK_HEADS_X_C=${NAME}", "CLOCK_WORDS=a, b", "CLOCK_PARTS=wheel", "CLOCK_HANDS_EVERY_TICK=3s",
		"CLOCK_HANDS_ENV_a_b=1", "CLOCK_FACE_COLOR=blue", "CLOCK_HANDS_HOME=home", "CLOCK_HANDS_WIND=wind it", "CLOCK_TEST=x", "CLOCK=x", "OTHER=x")
	want := clock{
		Color: "blue", Token: "file", Words: []string{"a", "b"}, Parts: []string{"wheel"},
		Heads: map[string]string{"X-A": "variable", "X-B": "file", "X-C": "${NAME}"},
		Hands: hands{EveryTick: 3 * time.Second, Env: []string{"A=file", "a_b=1"}, Home: "home", Wind: got.Hands.Wind},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || len(got.Hands.Wind) != 3 || got.Hands.Wind[2] != "wind it" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if at := places.Of("face.color"); at.Variable != "CLOCK_FACE_COLOR" || places.Of("face").Variable != "CLOCK_FACE_COLOR" || places.Of("hands").Line != 4 {
		t.Errorf("places are %v", places)
	}
	// A file may take a value from any variable: the name has a meaning then.
	if got, _, err := read("token: ${CLOCK_OWN}\n", "CLOCK_OWN=x"); err != nil || got.Token != "of-CLOCK_OWN" {
		t.Errorf("got %q, %v", got.Token, err)
	}
	for variable, want := range map[string]string{
		"CLOCK_TOKNE=x":            "CLOCK_TOKNE: no key of the config has this variable (did you mean `CLOCK_TOKEN`?)",
		"CLOCK_HEADS_=x":           "CLOCK_HEADS_: no key of the config has this variable",
		"CLOCK_HANDS=x":            "CLOCK_HANDS: no key of the config has this variable",
		"CLOCK_HANDS_NUMBER=4":     `CLOCK_HANDS_NUMBER: hands.number must be a number from 1 to 3, got "4"`,
		"CLOCK_HANDS_LIT=yes":      `CLOCK_HANDS_LIT: hands.lit must be true or false, got "yes"`,
		"CLOCK_PARTS=wheel,sping":  "CLOCK_PARTS: parts: unknown part `sping` (did you mean `spring`?); expected one of spring, wheel",
		"CLOCK_PARTS=":             "CLOCK_PARTS: parts must be a list of parts, such as [spring]",
		"CLOCK_PARTS=wheel,wheel":  "CLOCK_PARTS: parts: wheel stands twice",
		"CLOCK_FACE_COLOR=":        "CLOCK_FACE_COLOR: face.color must name a color, got nothing",
		"CLOCK_HANDS_WEIGHT=2MiB":  `CLOCK_HANDS_WEIGHT: hands.weight must be a number of bytes such as 65536 or 16MiB, 1MiB at most, got "2MiB"`,
		"CLOCK_HANDS_SPEED=1x":     `CLOCK_HANDS_SPEED: hands.speed must be a number above 0 and at most 10, got "1x"`,
		"CLOCK_HEADS_X=a\r\nb: c":  "CLOCK_HEADS_X: heads.X: the value holds a character that a header can't carry",
		"CLOCK_HANDS_EVERYTICK=1s": "CLOCK_HANDS_EVERYTICK: no key of the config has this variable (did you mean `CLOCK_HANDS_EVERY_TICK`?)",
	} {
		_, _, err := read("", variable)
		var mistake *Error
		if !errors.As(err, &mistake) || mistake.Variable == "" || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", variable, err, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"token: &a x\n":                       "there/c.yaml:1: anchors and aliases (&)",
		"words: [a]\ntoken: *a\n":             "there/c.yaml:2: anchors and aliases (*)",
		"&a token: x\n":                       "there/c.yaml:1: anchors and aliases (&)",
		"token: !!binary eA==\n":              "there/c.yaml:1: tags (!!binary)",
		"heads:\n  X: !secret a\n":            "there/c.yaml:2: tags (!secret)",
		"token: a\ntoken: b\n":                "there/c.yaml:2",
		"token: a\n---\ntoken: b\n":           "there/c.yaml:3: key `token` stands twice",
		"hands:\n  tick: 1s\n":                "there/c.yaml:2: unknown key `tick`; expected one of everyTick",
		"hands: [a]\n":                        "there/c.yaml:1: `hands` must be a mapping of keys to values; expected one of everyTick, weight, number, speed, lit, env, wind, stop, home on a line of its own below it",
		"token: [a]\n":                        "there/c.yaml:1: token must be a single value",
		"token:\n":                            "there/c.yaml:1: token must be a single value",
		"token: ${UNSET}\n":                   "there/c.yaml:1: token needs the environment variable UNSET, which is not set",
		"hands: {speed: NaN}\n":               `there/c.yaml:1: hands.speed must be a number above 0 and at most 10, got "NaN"`,
		strings.Repeat("# x\n", 1<<18) + "#x": "there/c.yaml: the file is larger than 1048576 bytes",
	} {
		_, _, err := read(text)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: got %v, want one line with %s", text, err, want)
		}
	}
}

// TestReadNamesEveryMistake: an error lists all mistakes in a config, up to a few.
func TestReadNamesEveryMistake(t *testing.T) {
	_, _, err := read("tokn: a\nhands:\n  tick: 1s\n  speed: NaN\n  number: x\n")
	want := "there/c.yaml:1: unknown key `tokn`"
	if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Count(err.Error(), "\n") != 3 {
		t.Errorf("got %v, want four lines, the first with %s", err, want)
	}
	var many strings.Builder
	for i := range 99 {
		fmt.Fprintf(&many, "key%d: a\n", i)
	}
	if _, _, err := read(many.String()); err == nil || strings.Count(err.Error(), "\n") != mostMistakes-1 {
		t.Errorf("got %v, want %d lines", err, mostMistakes)
	}
}

// TestReadIsBounded: a small file can't keep the reading busy, nor exhaust its stack.
func TestReadIsBounded(t *testing.T) {
	const n = 100 << 10
	lines := func(piece string) string { return strings.Repeat(piece, n/len(piece)) }
	var steps strings.Builder
	for i := range 400 {
		steps.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	for name, text := range map[string]string{
		"lists in lists": lines("- "), "flow": strings.Repeat("[", 20_000), "closed flow": strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000),
		"mappings in flow": strings.Repeat("{a: ", 20_000), "keys": lines("? "), "colons": lines("a: "), "anchors": lines("&a "), "aliases": lines("*a "), "tags": lines("!a "),
		"quotes": lines(`"" `), "list of lists by indent": steps.String(), "values": "words: [" + lines("a, ") + "]", "lines": "words:\n" + lines("- a\n"),
		"unclosed": "token: \"" + lines("x\n"), "block": "token: |\n" + lines(" x\n"), "documents": lines("---\n"),
	} {
		began := time.Now()
		_, _, err := read(text)
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
		if name != "block" && name != "documents" && err == nil {
			t.Errorf("%s: was read", name)
		}
	}
	deep := "words: " + strings.Repeat("[", yaml.MaxDepth-2) + strings.Repeat("]", yaml.MaxDepth-2)
	if _, _, err := read(deep); err == nil || !strings.Contains(err.Error(), "single value") {
		t.Errorf("what is as deep as allowed: %v", err)
	}
}

func TestFormatBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 1000: "1000", 1024: "1KiB", 1025: "1025", 256 << 10: "256KiB", 16 << 20: "16MiB", 3 << 30: "3GiB"} {
		if got := FormatBytes(n); got != want || ParseBytes(got) != n {
			t.Errorf("%d is written %q and read %d, expected %q", n, got, ParseBytes(got), want)
		}
	}
}
