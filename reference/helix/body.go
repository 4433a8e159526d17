package helix

import (
	"encoding/json"
	"errors"
	"net/http"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/request"
	"github.com/streamcert/streamcert/schemas/jsontext"
)

// body reads a body that is empty or one JSON value and returns the value without white space between its tokens, otherwise
// unchanged. That removes raw line feeds, so that no chunk can break a frame.
func (h *Handler) body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	// helix.security.body-limit: Body refuses by the announced length and by the actual one.
	body, err := request.Body(w, r, h.o.MaxBody, h.o.BodyTimeout)
	if err != nil {
		return nil, err
	}
	if len(body) == 0 {
		return nil, nil
	}
	// helix.wire.utf8: only UTF-8 is stored, so only UTF-8 is delivered.
	// helix.security.forged-chunk: Compact drops line feeds between tokens and refuses control characters inside strings.
	compact, ok := jsontext.Compact(body, deepest)
	if !ok || !utf8.Valid(body) {
		return nil, invalid("the body is not one JSON value in UTF-8")
	}
	// helix.chunks.any-value, helix.chunks.nulls-kept, helix.chunks.integers-exact, helix.chunks.strings-exact,
	// helix.chunks.unknown-members: the server keeps the bytes of the writer and never decodes a chunk to encode it again.
	return compact, nil
}

// decode reads a body into v; an empty body is an empty object.
func decode(body []byte, v any) error {
	if len(body) == 0 {
		return nil
	}
	err := json.Unmarshal(body, v)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return invalid("/%s can't be a %s", wrong.Field, wrong.Value)
	}
	return err
}

// decodeObject reads a body that is an object; an empty body is an empty one.
func decodeObject(body []byte, v any) error {
	if len(body) > 0 && body[0] != '{' {
		return invalid("the body is an object")
	}
	return decode(body, v)
}
