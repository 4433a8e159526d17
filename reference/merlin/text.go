package merlin

import "encoding/json"

// textMember returns a member of a JSON object that is a string.
func textMember(body []byte, name string) (string, bool) {
	var members map[string]json.RawMessage
	var text string
	if json.Unmarshal(body, &members) != nil || json.Unmarshal(members[name], &text) != nil {
		return "", false
	}
	return text, true
}
