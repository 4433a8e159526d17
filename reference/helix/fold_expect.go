package helix

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

// expects reports whether an operation is a test. Tests are evaluated here: the library can't compare an object or a list
// that contains a null.
func expects(op jsonpatch.Operation) bool { return op.Kind() == "test" }

// satisfies reports whether a document satisfies a test operation.
func satisfies(document []byte, op jsonpatch.Operation) bool {
	path, err := op.Path()
	var there, want any
	raw, given := op["value"]
	if err != nil || !given || json.Unmarshal(document, &there) != nil {
		return false
	}
	if raw != nil && json.Unmarshal(*raw, &want) != nil {
		return false
	}
	for _, token := range strings.Split(path, "/")[1:] {
		var ok bool
		if there, ok = inside(there, pointerTokens.Replace(token)); !ok {
			return false
		}
	}
	return reflect.DeepEqual(there, want)
}

// pointerTokens undoes the escapes of a JSON pointer, from left to right.
var pointerTokens = strings.NewReplacer("~0", "~", "~1", "/")

// inside returns the member or the item of a value that a token names.
func inside(value any, token string) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		member, ok := value[token]
		return member, ok
	case []any:
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(value) || token != strconv.Itoa(i) {
			return nil, false
		}
		return value[i], true
	}
	return nil, false
}
