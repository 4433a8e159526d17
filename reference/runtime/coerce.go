package runtime

import "encoding/json"

// Coerce makes an object of what a model gave as arguments: an object as it is, a text that holds an object as that
// object, and {} for everything else.
func Coerce(raw json.RawMessage) json.RawMessage {
	// helix.tools.arguments-object: all three results are objects.
	if isObject(raw) {
		return raw
	}
	var text string
	// helix.tools.arguments-parsed: the text of an object becomes that object.
	if json.Unmarshal(raw, &text) == nil && isObject(json.RawMessage(text)) {
		return json.RawMessage(text)
	}
	// helix.tools.arguments-coerced: any other value becomes {}.
	return json.RawMessage("{}")
}

// isObject reports whether a text is that of an object that every reader can hold: no number of it is beyond a double.
func isObject(raw json.RawMessage) bool {
	var members map[string]any
	return json.Unmarshal(raw, &members) == nil && members != nil
}
