package runtime

import "encoding/json"

// Coerce converts a model's arguments to an object: an object is unchanged, a string that contains an object becomes that
// object, and everything else becomes {}.
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

// isObject reports whether a text is an object that every reader can parse: no number in it exceeds a double.
func isObject(raw json.RawMessage) bool {
	var members map[string]any
	return json.Unmarshal(raw, &members) == nil && members != nil
}
