package campaign

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// texts is the catalogue of texts that a server may take for something else, or change.
var texts = map[string][]string{
	"plain":       {"words"},
	"number-like": {"007", "1e3", "0x10", "-0", "12345678901234567890", "1.0", "NaN", "Infinity", "1_000", "9007199254740993", "٣"},
	"word-like":   {"true", "false", "null", "undefined", "None", "[object Object]", "on", "yes", "NULL", "nil", "[]", "{}"},
	"blank":       {"", " ", "  ", "\t", "\u00a0", "\u3000", " x", "x ", "\ufeff", "\n", "\r\n", "\n\n"},
	"astral":      {"😀", "👩‍👩‍👧‍👦", "𝒳", "🇺🇳", "a\U0001F600b", "\U0010FFFF", "\U0001F468\u200D\U0001F4BB"},
	"separators":  {"\u2028", "\u2029", "a\u2028b", "\u0085", "\u000b", "\u000c", "\u001f", "\u007f", "\u200b", "\u202e"},
	"accents":     {"é", "e\u0301", "ﬁ", "ß", "İ", "ǅ", "\u1e9b\u0323", "Å", "A\u030a"},
	"framing":     {"data: x", "id: 7", "\n\nevent: end\n", ": comment", "data: {\"type\":\"end\"}\n\n", "retry: 1", "event: message", "\rdata: x\r\r", "[DONE]", "ping", "heartbeat"},
	"markup":      {"<script>&amp;</script>", "&lt;", "</html>", "%2F", "%00", "\\u0041", "\\n", "\\", "\"", "'", "${x}", "{{x}}", "$&", "+"},
	"nul":         {"a\x00b", "\x00"},
	"dates":       {"2024-02-30T00:00:00Z", "1970-01-01", "2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00Z", "2024-01-01T01:30:00+01:00", "__proto__", "constructor", "toString"},
	"forms":       {"HTTP://Example.COM:80/%7ea/../b?", "550E8400-E29B-41D4-A716-446655440000", "aGVsbG8=", "::FFFF:1.2.3.4", "1,234.50", "100% sure: %s %d %v %%", "$1 \\1 {0} #{x}", "A=1&b=%20", "a;b", "Zoë@EXAMPLE.com"},
}

// classes are the names of the kinds of text, sorted, and counted how many texts there are that no server may refuse.
var (
	classes = slices.Sorted(maps.Keys(texts))
	counted = func() int {
		n := 0
		for class, of := range texts {
			if class != "nul" {
				n += len(of)
			}
		}
		return n
	}()
)

// Classes returns the names of the kinds of text, sorted.
func Classes() []string { return slices.Clone(classes) }

// IsClass reports whether there is a kind of text of that name.
func IsClass(name string) bool { return texts[name] != nil }

// even is the number of repetitions of a text between two single letters, which shift the alignment: then no buffer size
// divides long texts only between characters, in bytes or code units.
const even = 1000

// Text makes the nth text of a class, repeated as often as fits into size bytes; one that is longer is there once.
func Text(class string, n, size int) string {
	of := texts[class]
	text := of[n%len(of)]
	if size <= len(text) {
		return text
	}
	if text == "" {
		text = " "
	}
	part := even*len(text) + 1
	return strings.Repeat(strings.Repeat(text, even)+"x", size/part) + strings.Repeat(text, size%part/len(text))
}

// Alike are texts that a server may take for a text: by the case of letters, by white space at the end, or by the beginning
// that it shares with them, or they with each other.
func Alike(text string) []string {
	long := text + strings.Repeat(" and so on", 30)
	return []string{strings.ToUpper(text), text + " ", long + "a", long + "b"}
}

// Texts returns the number of texts that no server may refuse.
func Texts() int { return counted }

// TextClass finds the nth of all texts, counted round and round: its class, and which of the class it is.
func TextClass(n int) (class string, i int) {
	n %= Texts()
	for _, class := range classes {
		switch of := texts[class]; {
		case class == "nul":
		case n < len(of):
			return class, n
		default:
			n -= len(of)
		}
	}
	return "plain", 0
}

// Values are JSON values as encoding/json decodes them that a server may change or drop: values that a truth test treats as
// absent, that a typed structure loses, and numbers at the limits of a double. Callers must not change them.
var Values = sync.OnceValue(func() []any {
	deep := any("deep")
	for range 60 {
		deep = []any{deep}
	}
	nulls := any(nil)
	for range 5 {
		nulls = map[string]any{"null": nulls, "list": []any{nil, nulls}}
	}
	return []any{
		nil, false, true, 0.0, "", map[string]any{}, []any{}, 0.1, 1e21, -1.5, 1e-7, 9007199254740991.0, -9007199254740991.0, 4294967296.0,
		2147483648.0, 65536.0, 1.7976931348623157e308, 5e-324, 123456789.125, deep, nulls, []any{nil}, []any{0.0, "", false, nil},
		map[string]any{"": 1.0, "a.b": 2.0, "$ref": "#", "__proto__": map[string]any{"x": 1.0}, "type": "end", "id": nil},
		map[string]any{"a": map[string]any{"a": map[string]any{}}}, map[string]any{"id": 1.0, "Id": 2.0, "in": map[string]any{"ID": 3.0, "id": []any{4.0}}}, []any{[]any{}, []any{[]any{}}}, "null", "0",
		map[string]any{"none": nil, "list": []any{}, "object": map[string]any{}, "text": "", "zero": 0.0, "no": false}, []any{map[string]any{}, []any{}, ""},
		map[string]any{"type": "chunk", "sequence": 1.0, "chunk": map[string]any{}}, map[string]any{"step": 99.0, "timestamp": "x"},
	}
})
