package pack

import (
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/runner/wire"
)

// Speaks reports whether a stream has every word of a sentence, in whichever member, and cut into whichever pieces. A server
// that spoils what its agent says does what a script says, and is judged.
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

// collect adds the strings of a value to those of the members that hold them.
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
