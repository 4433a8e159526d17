package diff

import (
	"encoding/json"
	"regexp"
	"testing"
)

// TestWorded: the effect of a change of words, where the words show it.
func TestWorded(t *testing.T) {
	const send = "A server send every frame"
	for _, c := range []struct {
		old, now string
		negative bool
		want     effect
		changed  bool
	}{
		{send + ".", send + ".", false, same, false},
		{send + ".", "A *server* send every frame.", false, same, false},
		{send + ".", "The server send each frame.", false, same, true},
		{send + ".", send + ", unless it is late.", false, relaxed, true},
		{send + ", unless it is late.", send + ".", false, stricter, true},
		{send + ".", "When asked, a server send every frame.", false, relaxed, true},
		{send + ".", send + " and every comment.", false, stricter, true},
		{send + " and every comment.", send + ".", false, relaxed, true},
		{send + ".", send + " or a comment.", false, relaxed, true},
		{send + ".", send + " or a comment.", true, stricter, true},
		{send + ".", "A server send `every_frame` frame.", false, unclear, true},
		{send + ".", "A reader send every frame.", false, unclear, true},
		{"within 5 s", "within 4 s", false, stricter, true},
		{"within 5 s", "within 6 s", false, relaxed, true},
		{"at least every 15 s", "at least every 20 s", false, relaxed, true},
		{"at least 3 times", "at least 4 times", false, stricter, true},
		{"more than 3 times", "more than 4 times", true, relaxed, true},
		{"more than 3 times", "more than 2 times", true, stricter, true},
		{"more than 3 times", "more than 2 times", false, relaxed, true},
		{"with 404", "with 410", false, unclear, true},
		{send + ", unless it is late.", send + " and every comment.", false, unclear, true},
	} {
		got := worded(c.old, c.now, c.negative)
		if got.effect != c.want || (got.text != "") != c.changed {
			t.Errorf("%q → %q (negative %t): effect %d, %q; want %d", c.old, c.now, c.negative, got.effect, got.text, c.want)
		}
	}
}

// TestMatching: most of the texts that are made for a pattern match it, some don't, and they are the same each time.
func TestMatching(t *testing.T) {
	for _, pattern := range []string{`^(/([^/~]|~[01])*)*$`, `^[0-9]{4}-(0[1-9]|1[0-2])T\d+(\.[0-9]+)?$`, `^a.c?$`} {
		re := regexp.MustCompile(pattern)
		matched := 0
		texts := matching(pattern)
		for i, v := range texts {
			if re.MatchString(v.(string)) {
				matched++
			}
			if v != matching(pattern)[i] {
				t.Fatalf("%s: texts differ between two calls", pattern)
			}
		}
		if matched < len(texts)/3 || matched == len(texts) {
			t.Errorf("%s: %d of %d texts match", pattern, matched, len(texts))
		}
	}
	if matching("(") != nil {
		t.Error("a broken pattern has texts")
	}
}

// TestDirected: each case changes one document, and the base stays as it was.
func TestDirected(t *testing.T) {
	base := decode([]byte(`{"a": {"list": [{"b": 1}]}, "c": "x"}`))
	before := text(base)
	for _, c := range []struct {
		e    edit
		want string
	}{
		{edit{keyword: "required", path: "/a/list/*", now: "b"}, `{"a":{"list":[{}]},"c":"x"}`},
		{edit{keyword: "minimum", path: "/a/list/*/b", old: json.Number("3"), now: json.Number("5")}, `{"a":{"list":[{"b":4}]},"c":"x"}`},
		{edit{keyword: "enum", path: "/d/e", now: []any{"new"}}, `{"a":{"list":[{"b":1}]},"c":"x","d":{"e":"new"}}`},
		{edit{keyword: "maxLength", path: "/c", now: json.Number("2")}, `{"a":{"list":[{"b":1}]},"c":"xxx"}`},
	} {
		found := false
		for _, doc := range directed(c.e, base) {
			found = found || text(doc) == c.want
		}
		if !found {
			t.Errorf("%+v makes no %s", c.e, c.want)
		}
	}
	if directed(edit{keyword: "required", path: "/c", now: "b"}, base) != nil {
		t.Error("a text has no member to leave out")
	}
	if text(base) != before {
		t.Errorf("the base is %s", text(base))
	}
}
