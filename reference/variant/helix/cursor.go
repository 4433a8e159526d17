package helix

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
)

// cursor lists the variants of cursor.
func cursor() []Variant {
	return []Variant{
		// These read the text of a cursor otherwise.
		{Name: "padded-cursor-read", Freedom: "helix.resume.padded-cursor",
			Summary: "Leading zeros and spaces around a cursor are overlooked.",
			Apply:   onCursorText(func(text string) (string, error) { return unpadded(text), nil })},
		{Name: "empty-cursor-refused", Freedom: "an empty cursor", Warns: []string{"helix.resume.empty-cursor"},
			Summary: "A cursor that is there and empty is answered 400.",
			Apply: onCursorText(func(text string) (string, error) {
				if text == "" {
					return "", refusal(http.StatusBadRequest, "a cursor is not empty")
				}
				return text, nil
			})},
		{Name: "from-offset-ignored", Freedom: "helix.resume.offset-alias",
			Summary: "fromOffset is a parameter like any other that nobody knows.",
			Apply: on.OnCursor(func(stream string, r *http.Request, parse on.CursorReader) (helix.Cursor, error) {
				query := r.URL.Query()
				query.Del("fromOffset")
				return parse(stream, withQuery(r, query.Encode()))
			})},
		{Name: "from-offset-refused", Freedom: "helix.resume.offset-alias",
			Summary: "Parameters that nobody knows, fromOffset among them, are answered 400.",
			Apply: on.OnCursor(func(stream string, r *http.Request, parse on.CursorReader) (helix.Cursor, error) {
				for name := range r.URL.Query() {
					if name != "fromSequence" {
						return helix.Cursor{}, refusal(http.StatusBadRequest, "the query has a parameter that is not known")
					}
				}
				return parse(stream, r)
			})},

		// These answer 400 where others read on, or the other way round.
		{Name: "long-cursors-refused", Freedom: "helix.resume.large-cursor",
			Summary: "A cursor of more than 15 digits is answered 400.",
			Apply: onCursorText(func(text string) (string, error) {
				if len(text) > 15 {
					return "", refusal(http.StatusBadRequest, "a cursor has at most 15 digits")
				}
				return text, nil
			})},
		{Name: "unknown-before-cursor", Freedom: "helix.http.unknown-stream",
			Summary: "The stream is looked for before the cursor is read.",
			Apply: func(o reference.Options) reference.Options {
				return on.OnCursor(func(stream string, r *http.Request, parse on.CursorReader) (helix.Cursor, error) {
					if _, err := o.Store.Info(r.Context(), stream); err != nil {
						return helix.Cursor{}, err
					}
					return parse(stream, r)
				})(o)
			}},
		{Name: "bad-query-refused", Freedom: "helix.resume.header-wins",
			Summary: "A query that is no cursor is answered 400, also beside a header.",
			Apply: on.OnCursor(func(stream string, r *http.Request, parse on.CursorReader) (helix.Cursor, error) {
				if text := r.URL.Query().Get("fromSequence"); text != "" {
					if _, err := helix.ParseSequence(text); err != nil {
						return helix.Cursor{}, err
					}
				}
				return parse(stream, r)
			})},
		{Name: "beyond-end-400", Freedom: "helix.resume.no-content",
			Summary: "A cursor beyond the terminal id of a finished stream is answered 400.",
			Apply: on.Starts(on.Start.Finished, func(s on.Start) bool { return s.After > s.Terminal }).
				Refuse(refusal(http.StatusBadRequest, "the stream never sent this cursor"))},
	}
}

// cursors are other ways to read where a reader wants to start.
func cursors() []Variant { return slices.Concat(cursor(), cursorsBeyond()) }

// cursorsBeyond refuse a cursor beyond an active stream.
func cursorsBeyond() []Variant {
	var out []Variant
	for _, status := range []int{http.StatusBadRequest, http.StatusConflict, http.StatusGone,
		http.StatusRequestedRangeNotSatisfiable} {
		out = append(out, Variant{
			Name: fmt.Sprintf("beyond-latest-%d", status), Freedom: "helix.resume.beyond-latest",
			Summary: fmt.Sprintf("A cursor beyond the latest sequence of an active stream is answered %d.", status),
			Apply: on.Starts(on.Start.Unfinished, func(s on.Start) bool { return s.After > s.LatestSequence }).
				Refuse(refusal(status, "the cursor is beyond the stream")),
		})
	}
	return out
}

// onCursorText changes the text of a cursor, in the header or the query, before it is parsed.
func onCursorText(change func(text string) (string, error)) apply {
	return on.OnCursor(func(stream string, r *http.Request, parse on.CursorReader) (helix.Cursor, error) {
		query := r.URL.Query()
		for _, name := range []string{"fromSequence", "fromOffset"} {
			if !query.Has(name) {
				continue
			}
			text, err := change(query.Get(name))
			if err != nil {
				return helix.Cursor{}, err
			}
			query.Set(name, text)
		}
		r = withQuery(r, query.Encode())
		if values := r.Header.Values("Last-Event-ID"); len(values) > 0 {
			text, err := change(values[0])
			if err != nil {
				return helix.Cursor{}, err
			}
			r.Header.Set("Last-Event-ID", text)
		}
		return parse(stream, r)
	})
}

// withQuery returns a copy of a request with another query.
func withQuery(r *http.Request, query string) *http.Request {
	r = r.Clone(r.Context())
	r.URL.RawQuery = query
	return r
}

// unpadded removes characters around a decimal number; any other text is unchanged.
func unpadded(text string) string {
	digits := strings.Trim(text, " ")
	if strings.Trim(digits, "0123456789") != "" || digits == "" {
		return text
	}
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return "0"
	}
	return digits
}
