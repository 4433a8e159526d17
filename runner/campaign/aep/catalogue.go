package aep

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/streamcert/streamcert/runner/campaign"
)

// mostDoubled is the most bytes of a text that a value has twice; it has a larger one three times.
const mostDoubled = 30_000

// zero returns the index of a text that is a digit which a server may treat as empty. It is in the second round of the
// catalogue.
func zero() int { return campaign.Texts() }

// sampled returns the nth text of the catalogue.
func sampled(n int) string {
	if n == zero() {
		return "0"
	}
	class, i := campaign.TextClass(n)
	return campaign.Text(class, i, 1)
}

// numbered returns the index of a text in the catalogue, 0 if it isn't there.
func numbered(text string) int {
	for n := range campaign.Texts() {
		if sampled(n) == text {
			return n
		}
	}
	return 0
}

// allTexts returns all texts of the catalogue, beginning with the nth, followed by the treated ones.
func allTexts(n int) []string {
	out := make([]string, campaign.Texts())
	for i := range out {
		out[i] = sampled(n + i)
	}
	return append(out, treated()...)
}

// treated are texts that formatters change, or that a server may mistake for control output of a model.
func treated() []string {
	return append(campaign.Treated(),
		"a<think>b</think>c", "<thinking>a</thinking>b", "a<|im_end|>b", "a\n\nHuman: b\n\nAssistant: c", "```json\n{\"a\":1}\n```", "a[1]b【2†c】d",
		"a![b](data:image/png;base64,iVBORw0KGgo=)c", "a :smile: b -- c... (c)", "a **b** _c_ `d` # e", "a {{#if b}}c{{/if}} <%= d %>", "a http://b.c/?d=e&f=%20 g",
		"call 4111 1111 1111 1111 or a.b@c.example", "sk-0123456789abcdef0123456789abcdef",
	)
}

// bareValues is the number of top-level values that a server may treat as empty or as another type.
const bareValues = 17

// sampledValue returns a top-level value: every third is a text, or one that a server may treat as empty or as another
// type.
func sampledValue(n int) any {
	bare := [bareValues]any{
		false, 0.0, "", []any{}, map[string]any{}, nil, "{}", "[1]", "null", "true", "17", []any{1.0},
		map[string]any{"payload": true}, map[string]any{"result": []any{}}, map[string]any{"value": "x"}, map[string]any{"error": "x"}, map[string]any{"status": "failed", "actionId": "x"},
	}
	all := campaign.Values()
	switch n % 3 {
	case 0:
		return bare[n/3%bareValues]
	case 1:
		return sampled(n / 3)
	}
	return all[n/3%len(all)]
}

// members are names of members that a server may take for something else, or change.
func members() []string {
	return []string{
		"locale", "Locale", "a.b", "__proto__", "constructor", "user", "messages", "threadId", "history", "agent", "", "$ref", "two words", "é",
		"0", "_private", "script", "toString", "a/b", "type", "x-" + strings.Repeat("long", 80), "ActionResults", "actionId", "action", "conformance-2",
	}
}

// named are members that have all values of the catalogue, its texts from the nth on, and all names.
func named(n int) map[string]any {
	out := map[string]any{}
	for i, v := range campaign.Values() {
		out[fmt.Sprintf("value-%d", i)] = v
	}
	for i, name := range members() {
		out[name] = sampledValue(n + i)
	}
	texts := []any{}
	for _, text := range allTexts(n) {
		texts = append(texts, text)
	}
	// Names of request members have no special meaning inside a value.
	out["nested"] = map[string]any{"actionResults": []any{map[string]any{"actionId": "x"}}, "context": map[string]any{"conformance": 1.0}, "threadId": "y"}
	out["texts"] = append(texts, "}", "{", "]", `"}`)
	return out
}

// many returns a list and an object of more items than a server may have capacity for.
func many() (list []any, object map[string]any) {
	object = map[string]any{}
	for i := range mostItems {
		list = append(list, float64(i))
		object[fmt.Sprint(i%(mostItems/4))] = float64(i)
	}
	return list, object
}

const mostItems = 1040

// few returns some members.
func few(n int) map[string]any {
	out := map[string]any{}
	all := members()
	for i := range n % 4 {
		out[all[(n+i)%len(all)]] = sampledValue(n/4 + i)
	}
	return out
}

// wrapped are members within one that a server may take for a wrapping, and take off.
func wrapped(n int) map[string]any {
	names := []string{"arguments", "input", "args", "parameters"}
	return map[string]any{names[n%len(names)]: map[string]any{"text": "x", "n": 1.0}}
}

// called returns a name of a tool, or a kind of action. Only the application interprets them.
func called(n int) string {
	all := []string{
		"Search", "files.read", "mcp__files/read:v2", "værktøj", "0", "constructor", "done", strings.Repeat("tool_", 60), "find route", "ﬁnd\u00b2", "a\u00adb",
	}
	return all[n%len(all)]
}

// summarised returns the summary of a tool's result for size n: nil leaves the words to the server, "" is a summary without
// words. A large call has a large summary.
func summarised(n int) *string {
	if n > mostDoubled {
		large := strings.Repeat("row ", n/4)
		return &large
	}
	all := []string{"", "found", "two\nlines", "😀 é \u2028 <b>", strings.Repeat("row ", 1200), "null", " x ", ""}
	if n%len(all) == 0 {
		return nil
	}
	return &all[n%len(all)]
}

// sayable reports whether the only content of a message may be this text.
func sayable(text string) bool { return text != "" && !strings.Contains(text, "\x00") }

// firm reports whether a text begins and ends with characters that no server treats as white space: white space at the ends
// of a user's text may be trimmed.
func firm(text string) bool {
	if text == "" || strings.Contains(text, "\x00") {
		return false
	}
	runes := []rune(text)
	ok := func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }
	return ok(runes[0]) && ok(runes[len(runes)-1])
}
