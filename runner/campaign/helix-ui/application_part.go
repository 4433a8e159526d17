package helixui

import (
	"fmt"
	"slices"

	model "github.com/streamcert/streamcert/runner/model/helix-ui"
)

// applicationPart makes the application send a data part, of a type that every version of the client knows, while a text or
// reasoning is open. Data comes under an id again now and then.
func (w *writer) applicationPart(o Operation) {
	said := w.data(o)
	n := w.texts
	part := map[string]any{"type": "source-url", "sourceId": fmt.Sprintf("s%d", n), "url": fmt.Sprintf("https://example.org/%d?q=%%20", n), "title": said}
	switch o.Choice % 6 {
	case 1:
		part = map[string]any{"type": "file", "url": "data:text/plain,hi", "mediaType": "text/plain"}
	case 2:
		part = map[string]any{"type": "source-document", "sourceId": fmt.Sprintf("s%d", n), "mediaType": "text/plain", "title": said}
	case 3:
		part = map[string]any{"type": "data-notice", "data": w.value(o), "transient": true}
	case 4:
		part = map[string]any{"type": "data-notice", "id": fmt.Sprintf("notice-%d", o.Choice/6%2), "data": w.value(o)}
	case 5:
		part = map[string]any{"type": "data-notice", "data": w.value(o)}
	}
	words := Operation{Class: "plain", Size: 5}
	thinks := o.Kind == "own parts behind thoughts"
	if thinks { // and never says that it is complete
		w.chunk(o, "thinking", map[string]any{"content": "thought " + w.data(o) + ".", "isComplete": false})
	} else {
		w.text(words)
	}
	w.addStep(model.ScriptStep{Part: part})
	if thinks || o.Choice%2 == 0 {
		w.text(words)
	}
}

// sendsApplicationPart reports whether the application sends a data part.
func (s *setup) sendsApplicationPart() bool {
	return slices.ContainsFunc(s.script.Steps, func(a model.ScriptStep) bool { return a.Part != nil })
}
