package helix

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// strings_ are other limits of a chunk's strings.
func strings_() []Variant {
	return []Variant{
		{Name: "strings-of-256-kib", Freedom: "the longest string of a chunk", LongestString: longestString,
			Summary: "A chunk with a string of more than 256 KiB is answered 413, as by a store whose columns have a size.",
			Apply: refusingStrings(http.StatusRequestEntityTooLarge, "a string is longer than 256 KiB",
				func(text string, _ bool) bool { return len(text) > longestString })},
		{Name: "plain-names-only", Freedom: "a NUL in a string, or a line end in a name",
			Summary: "A chunk with a NUL is refused, as by a store that can't keep one, and so is one with a line end in a name.",
			Apply: refusingStrings(http.StatusBadRequest, "the chunk holds a control character", func(text string, isName bool) bool {
				return strings.Contains(text, "\x00") || isName && strings.ContainsAny(text, "\r\n")
			})},
	}
}

// longestString is the size of a string column in a store, in bytes.
const longestString = 256 << 10

// refusingStrings rejects chunks with a string that objects matches.
func refusingStrings(status int, message string, objects func(text string, isName bool) bool) apply {
	return on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			for _, c := range chunks {
				var value any
				if json.Unmarshal(c.JSON, &value) == nil && finds(value, false, objects) {
					return nil, refusal(status, message)
				}
			}
			return inner.Append(ctx, stream, writer, chunks)
		}
	})
}

// finds searches a value. Names are those of members, and the values of members that name something.
func finds(value any, isName bool, objects func(text string, isName bool) bool) bool {
	switch value := value.(type) {
	case string:
		return objects(value, isName)
	case []any:
		return slices.ContainsFunc(value, func(item any) bool { return finds(item, false, objects) })
	case map[string]any:
		for name, member := range value {
			if objects(name, true) || finds(member, naming(name), objects) {
				return true
			}
		}
	}
	return false
}

// naming reports whether a member of a chunk names something.
func naming(member string) bool {
	return strings.HasSuffix(member, "Id") || strings.HasSuffix(member, "Name") || strings.HasSuffix(member, "Type")
}
