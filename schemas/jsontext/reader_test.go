package jsontext_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/schemas/jsontext"
)

// read lists the values of a text, in order, or the syntax error.
func read(text string, most int) string {
	r := jsontext.NewReader([]byte(text), most)
	var b strings.Builder
	r.Space()
	value(&r, &b)
	r.Space()
	if r.Err() == "" && r.Pos() < len(text) {
		return "more"
	}
	if r.Err() != "" {
		return r.Err()
	}
	return b.String()
}

func value(r *jsontext.Reader, b *strings.Builder) {
	switch r.Next() {
	case '{':
		b.WriteByte('{')
		for more := r.Open('}'); more; more = r.More('}') {
			name, ok := r.Name()
			if !ok {
				return
			}
			fmt.Fprintf(b, "%s:", r.Raw(name))
			value(r, b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for more := r.Open(']'); more; more = r.More(']') {
			value(r, b)
		}
		b.WriteByte(']')
	case '"':
		s := r.String()
		if r.Err() == "" {
			fmt.Fprintf(b, "%s %v;", r.Raw(s), s.ASCII)
		}
	case 't':
		r.Word("true")
	case 'n':
		r.Word("null")
	default:
		literal, exponent := r.Number()
		fmt.Fprintf(b, "%s %d;", literal, exponent)
	}
}

func TestReader(t *testing.T) {
	for text, want := range map[string]string{
		` {"a" : 1 ,"a":[true,null , "x"]} `: `{a:1 1;a:[x true;]}`,
		`[-0.50e+7,10]`:                      `[-0.50e+7 5;10 2;]`,
		`"a\u00e9\ud83d\ude00"`:              `a\u00e9\ud83d\ude00 false;`,
		`"é"`:                                `é false;`,
		`{}{}`:                               "more",
		``:                                   "the JSON ends at byte 0 where a digit is expected",
		`[1,]`:                               "']' at byte 3 of the JSON, where a digit is expected",
		`[1 2]`:                              "'2' at byte 3 of the JSON, where a comma or ] is expected",
		`{"a"}`:                              "'}' at byte 4 of the JSON, where a colon is expected",
		`{,}`:                                "',' at byte 1 of the JSON, where a member name is expected",
		`{"a":1`:                             "the JSON ends at byte 6 where a comma or } is expected",
		`-`:                                  "the JSON ends at byte 1 where a digit is expected",
		`1.`:                                 "the JSON ends at byte 2 where a digit is expected",
		`tru`:                                "'t' at byte 0 of the JSON, where true is expected",
		`"a`:                                 "the JSON ends at byte 2 where the end of a string is expected",
		`"\`:                                 "the JSON ends at byte 2 where an escape is expected",
		`"\x"`:                               "unknown escape in a string at byte 1",
		`"\u12g4"`:                           "\\u without four hexadecimal digits at byte 1",
		"\"\x01\"":                           "control character 0x1 in a string at byte 1, where an escape is expected",
		`[[[]]]`:                             "the JSON is nested deeper than 2 levels",
	} {
		got := read(text, 2)
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
		if strict := json.Valid([]byte(text)); strict != (got != "more" && !strings.Contains(got, " byte ")) && !strings.Contains(got, "deeper") {
			t.Errorf("%s: the standard library says %v", text, strict)
		}
	}
}

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		`\n`: "U+000A 2", `\/`: "U+002F 2", `\u0041`: "U+0041 6", `\ud83d\ude00`: "U+1F600 12",
		`\ud83d`: "U+D83D 6", `\ud83d\ud83d`: "U+D83D 6", `\ude00\ud83d`: "U+DE00 6", `\ud83d\n`: "U+D83D 6",
		`\u00g0`: "U+0000 0", `\x`: "U+0000 0", `\`: "U+0000 0", `a`: "U+0000 0", ``: "U+0000 0",
	} {
		if r, n := jsontext.Escape([]byte(text)); fmt.Sprintf("%U %d", r, n) != want {
			t.Errorf("%s: %U %d, want %s", text, r, n, want)
		}
	}
}
