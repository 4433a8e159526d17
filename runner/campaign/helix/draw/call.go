package draw

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
)

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

// widen adds so many members to an object.
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
