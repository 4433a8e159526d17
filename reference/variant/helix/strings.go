package helix

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/store"
)

// strings_ are other bounds of what a string of a chunk may hold.
func strings_() []Variant {
	return []Variant{{
		Name: "strings-of-256-kib", Freedom: "the longest string of a chunk", LongestString: longestString,
		Summary: "A chunk with a string of more than 256 KiB is answered 413, as by a store whose columns have a size.",
		Apply: onStore(func(inner store.Store) store.Store {
			return &picky{Store: inner, refusal: refusal(http.StatusRequestEntityTooLarge, "a string is longer than 256 KiB"),
				objects: func(text string, _ bool) bool { return len(text) > longestString }}
		}),
	}, {
		Name: "plain-names-only", Freedom: "a NUL in a string, or a line end in a name",
		Summary: "A chunk with a NUL is refused, as by a store that can't keep one, and so is one with a line end in a name.",
		Apply: onStore(func(inner store.Store) store.Store {
			return &picky{Store: inner, refusal: refusal(http.StatusBadRequest, "the chunk holds a control character"),
				objects: func(text string, isName bool) bool {
					return strings.Contains(text, "\x00") || isName && strings.ContainsAny(text, "\r\n")
				}}
		}),
	}}
}

// longestString is what a column of a store may hold.
const longestString = 256 << 10

// picky refuses chunks with strings that it objects to.
type picky struct {
	store.Store
	refusal error
	objects func(text string, isName bool) bool
}

func (s *picky) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	for _, c := range chunks {
		var value any
		if json.Unmarshal(c.JSON, &value) == nil && s.finds(value, false) {
			return nil, s.refusal
		}
	}
	return s.Store.Append(ctx, stream, writer, chunks)
}

// finds looks through a value. Names are those of members, and the values of members that name something.
func (s *picky) finds(value any, isName bool) bool {
	switch value := value.(type) {
	case string:
		return s.objects(value, isName)
	case []any:
		return slices.ContainsFunc(value, func(item any) bool { return s.finds(item, false) })
	case map[string]any:
		for name, member := range value {
			if s.objects(name, true) || s.finds(member, naming(name)) {
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
