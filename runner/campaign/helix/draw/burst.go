package draw

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
)

// burst returns many or large script steps of one kind, to reach the ends of a runtime's buffers, pages, queues and
// counters.
func burst(w *writing) scriptSteps {
	if w.r.IntN(3) == 0 {
		return largeBurst(w)
	}
	kinds := slices.DeleteFunc([]string{"text", "thinking", "custom", "tool", "set", "append", "parallel", "error"}, func(k string) bool {
		return w.s.scriptSteps[k] == 0 || !w.may(k)
	})
	switch k := campaign.Pick(w.r, kinds...); k {
	case "error":
		return repeated(w, k, 9, func() any {
			return map[string]any{"message": "again", "code": campaign.Pick(w.r, data.ErrorCodes...), "retryable": true}
		})
	case "text":
		return textBurst(w)
	case "thinking":
		return repeated(w, k, 12, func() any { return w.emitted() })
	case "custom":
		name := w.known("event")
		return repeated(w, k, 80, func() any { return map[string]any{"eventName": name, "data": w.next()} })
	case "tool":
		name := w.known("tool")
		return repeated(w, k, 40, func() any {
			return map[string]any{"name": name, "arguments": map[string]any{"n": w.next() / 2}, "result": w.next()} // two calls have equal arguments
		})
	case "set":
		return stateBurst(w)
	case "append":
		key := w.list()
		if w.r.IntN(2) == 0 {
			return scriptSteps{one(k, map[string]any{"key": key, "items": w.items(campaign.Size(w.r, 70))})}
		}
		return repeated(w, k, 60, func() any { return map[string]any{"key": key, "items": []any{w.next()}} })
	}
	return scriptSteps{concurrentBurst(w)}
}

// largeBurst returns a script step with a long text: output, reasoning, arguments, result or state.
func largeBurst(w *writing) scriptSteps {
	text := func() string {
		return strings.Repeat(fmt.Sprintf("large-%d. ", w.next()), 1+campaign.Pick(w.r, campaign.Size(w.r, 2<<10), campaign.Size(w.r, 24<<10), (16<<10)+w.r.IntN(4<<10))/10)
	}
	return largeOf(w, w.r.IntN(largeKinds), text)
}

// unbroken returns a text as one long word, in which most characters have several bytes.
func unbroken(text string) string {
	return strings.NewReplacer(" ", "_", "large-", "語語\U0001F600").Replace(text)
}

// largeKinds is the number of kinds of large script steps.
const largeKinds = 9

// largeOf returns a script step of the nth kind with a text.
func largeOf(w *writing, kind int, text func() string) scriptSteps {
	switch kind {
	case 0:
		return scriptSteps{one("text", unbroken(text()))}
	case 1:
		return scriptSteps{one("thinking", unbroken(text()))}
	case 2:
		return scriptSteps{one("custom", map[string]any{"eventName": w.known("event"), "data": []any{text()}})}
	case 3:
		return scriptSteps{one("set", map[string]any{"key": w.key(), "value": text()})}
	case 4:
		return scriptSteps{one("tool", map[string]any{"name": w.known("tool"), "arguments": map[string]any{"n": w.next(), "text": text()}, "error": text()})}
	case 5: // the arguments as a string of JSON
		return scriptSteps{one("tool", map[string]any{"name": w.known("tool"), "arguments": string(data.Encode(map[string]any{"n": w.next(), "text": text()})), "result": nil})}
	case 6:
		return scriptSteps{one("custom", map[string]any{"eventName": w.known("event"), "data": text()})}
	case 7:
		return scriptSteps{one("tool", map[string]any{"name": w.known("tool"), "arguments": map[string]any{"n": w.next()}, "result": text()})}
	}
	return scriptSteps{one("tool", map[string]any{"name": w.known("tool"), "arguments": map[string]any{"n": w.next()}, "result": map[string]any{"text": text()}})}
}

// repeated returns script steps of one kind.
func repeated(w *writing, k string, most int, value func() any) scriptSteps {
	out := scriptSteps{}
	for range campaign.Size(w.r, most) {
		out = append(out, one(k, value()))
	}
	return out
}

// textBurst returns a text of many words, or many short texts.
func textBurst(w *writing) scriptSteps {
	n := campaign.Size(w.r, 300)
	switch w.r.IntN(5) {
	case 0:
		return scriptSteps{one("text", strings.Repeat("again ", n))}
	case 1:
		return scriptSteps{one("text", strings.Repeat(w.text()+"\U0001F600e\u0301", 1+n/8))} // without a space
	case 2: // deltas that split characters and graphemes
		pieces := []string{"e", "\u0301", "\U0001F468", "\u200d\U0001F4BB", "", " ", "\n", "x", "x", "\U0001F1FA", "\U0001F1F3"}
		out := scriptSteps{}
		for i := range min(n, 60) {
			out = append(out, one("text", pieces[i%len(pieces)]))
		}
		return out
	}
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "w%d ", w.next())
	}
	return scriptSteps{one("text", b.String())}
}

// stateBurst returns many changes of few members of the state.
func stateBurst(w *writing) scriptSteps {
	keys, out := []string{w.key(), w.name("key"), w.name("key") + "/~"}, scriptSteps{}
	for range campaign.Size(w.r, 300) {
		key := campaign.Pick(w.r, keys...)
		switch w.r.IntN(4) {
		case 0:
			out = append(out, one("delete", map[string]any{"key": key}))
		default:
			out = append(out, one("set", map[string]any{"key": key, "value": campaign.Pick[any](w.r, w.next(), w.value(), nil, map[string]any{"a": nil})}))
		}
	}
	return out
}

// concurrentBurst returns many concurrent calls of one tool.
func concurrentBurst(w *writing) any {
	k := "tool"
	if w.waits == anything {
		for _, waits := range []string{"works", "approval", "client"} {
			if w.s.scriptSteps[waits] > 0 && w.may(waits) && w.r.IntN(2) == 0 {
				k = waits
			}
		}
	}
	return callBurst(w, 2+campaign.Size(w.r, 20), k)
}

// callBurst returns n concurrent calls of one tool.
func callBurst(w *writing, n int, k string) any {
	name := w.known("tool")
	w.concurrently = true
	out := []any{}
	for range n {
		t := w.tool(k)
		t["name"], t["arguments"] = name, map[string]any{"n": w.next()}
		out = append(out, scriptSteps{one("tool", t)})
	}
	w.concurrently = false
	return one("parallel", out)
}

// tool returns a tool call. The arguments distinguish concurrent calls of the same tool.
func (w *writing) tool(k string) map[string]any {
	before := len(w.names["tool"])
	t := map[string]any{"name": w.known("tool")}
	object := map[string]any{"a": w.value(), "b": w.text(), "none": nil, "n": w.next()}
	if w.r.IntN(16) == 0 {
		widen(object, campaign.Size(w.r, 300))
	}
	switch form := w.r.IntN(6); {
	case form == 0 && len(w.names["tool"]) > before:
	case form == 1 && len(w.names["tool"]) > before:
		w.at++
		t["arguments"] = campaign.Pick(w.r, w.value(), noObjects[w.at%len(noObjects)])
	case form == 2:
		t["arguments"] = campaign.Pick(w.r, "", "", " ", "\n\t") + string(data.Encode(object)) + campaign.Pick(w.r, "", "", "\n", "\t ")
	case form == 4 && len(w.names["tool"]) > before && w.r.IntN(2) == 0: // a string of JSON encoded as a string of JSON
		t["arguments"] = string(data.Encode(string(data.Encode(object))))
	case form == 3 && k == "approval" && w.r.IntN(2) == 0 && len(w.names["tool"]) > before:
	default:
		t["arguments"] = object
	}
	switch k {
	case "client":
		t["client"] = true
		return t
	case "approval":
		if w.gates++; w.gates%2 == 0 {
			t["approval"] = "broken"
		} else {
			t["approval"] = true
		}
		if w.may("client") && w.r.IntN(4) == 0 {
			t["client"] = true
			return t
		}
	case "works":
		t["waits"] = fmt.Sprintf("b%d", w.next())
	}
	if w.r.IntN(4) == 0 {
		t["error"] = campaign.Pick(w.r, "no"+w.text()+w.text()+w.text(), "no "+w.text()+w.text()+" no", "", " ", strings.Repeat("no ", campaign.Size(w.r, 600)))
	} else {
		t["result"] = w.value()
	}
	return t
}

// widen adds a number of members to an object.
func widen(object map[string]any, members int) {
	for n := range members {
		object[fmt.Sprintf("member-%d", n)] = n
	}
}

// waits reports whether a script waits anywhere. A distant timeout counts: a run would settle only after it.
func waits(script scriptSteps) bool {
	text := string(data.Encode(script))
	return strings.Contains(text, `"await"`) || strings.Contains(text, `"waits"`) || strings.Contains(text, `"client"`) || strings.Contains(text, `"approval"`) ||
		strings.Contains(text, `"timeoutMs"`)
}
