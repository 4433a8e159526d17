package pack

import (
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/runner/wire"
)

// Speaks reports whether a stream contains every word of a sentence, in any member and in any division into pieces. A
// server that damages its agent's text still follows the script, and is judged.
func Speaks(frames []*wire.Frame, sentence string) bool {
	joined := map[string]*strings.Builder{} // by the name of the member
	for _, f := range frames {
		var value any
		if json.Unmarshal(f.Data, &value) == nil {
			collect(joined, "", value)
		}
	}
	for _, text := range joined {
		whole := true
		for word := range strings.FieldsSeq(sentence) {
			whole = whole && strings.Contains(text.String(), word)
		}
		if whole {
			return true
		}
	}
	return false
}

// collect appends the strings of a value by the name of their member.
func collect(joined map[string]*strings.Builder, name string, value any) {
	switch value := value.(type) {
	case string:
		if joined[name] == nil {
			joined[name] = &strings.Builder{}
		}
		joined[name].WriteString(value)
	case []any:
		for _, item := range value {
			collect(joined, name, item)
		}
	case map[string]any:
		for member, item := range value {
			collect(joined, member, item)
		}
	}
}
