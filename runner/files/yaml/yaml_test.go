package yaml_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/files/yaml"
)

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text, want string
		line       int
	}{
		"lists in lists":  {strings.Repeat("- ", 50_000), "nested deeper than 64", 1},
		"flow":            {"a: " + strings.Repeat("[", 20_000), "nested deeper than 64", 1},
		"deep blocks":     {blocks(100), "nested deeper than 64", 64},
		"keys":            {strings.Repeat("key: value\n", 100_000), "larger than", 0},
		"many keys":       {strings.Repeat("k: 1\n", 30_000), "more than 20000", 6667},
		"size":            {strings.Repeat("x", yaml.MaxFile+1), "larger than 1048576 bytes", 0},
		"an anchor":       {"a: 1\nb: &x 2", "anchors and aliases", 2},
		"a tag":           {"a: !!binary 2", "tags", 1},
		"no YAML":         {"a: 1\nb: [", "not YAML", 2},
		"a key twice":     {"a: 1\na: 2", "not YAML", 2},
		"a wrong type":    {"a: {b: 1}", "", 1},
		"lines of a tail": {"a: |\n\tx", "not YAML", 2},
	} {
		var into struct{ A int }
		err := yaml.Decode([]byte(c.text), &into)
		var at *yaml.Error
		if !errors.As(err, &at) || !strings.Contains(at.Message, c.want) || at.Line != c.line || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, expected %q in line %d", name, err, c.want, c.line)
		}
	}
}

func blocks(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat(" ", i))
	}
	return b.String()
}

// TestTheLargestFileThatPeopleWrite: a baseline that names every requirement of every pack, with a comment and a reason.
func TestTheLargestFileThatPeopleWrite(t *testing.T) {
	var b strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&b, "\n# The sentence of the requirement: it has a colon.\nhelix.chapter.requirement-%d:\n  reason: \"ticket %d, [later]\"\n", i, i)
	}
	var into map[string]map[string]string
	if err := yaml.Decode([]byte("\ufeff"+b.String()), &into); err != nil || into["helix.chapter.requirement-7"]["reason"] != "ticket 7, [later]" {
		t.Errorf("%d entries, %v", len(into), err)
	}
	if err := yaml.Decode(nil, &into); err != nil {
		t.Errorf("an empty file: %v", err)
	}
}
