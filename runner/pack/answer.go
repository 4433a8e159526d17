package pack

import (
	"bytes"
	"fmt"
	"net/http"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// IsPage reports whether an answer is an HTML page, such as that of a login or a proxy.
func IsPage(contentType string, body []byte) bool {
	return bytes.HasPrefix([]byte(contentType), []byte("text/html")) || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

// FirstLine is the beginning of an answer's first line, at most 160 bytes, for a message.
func FirstLine(b []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	if len(line) > 160 {
		line = line[:160]
	}
	return string(line)
}

// Silence guesses why nothing of the model that the kit plays came from a server.
func Silence(t *target.Target) string {
	if notes := t.Model().Notes(); len(notes) > 0 {
		return notes[0]
	}
	return "does it ask the provider at " + t.Model().URL() + "?"
}

// NoStream says of the answer to a preflight why it is no stream, nil if it is one. where names the request, route the
// route that was asked, and right what else has to be right.
func NoStream(where string, v record.Response, route, right string) error {
	page := func(body []byte) bool { return IsPage(v.Get("content-type"), body) }
	switch {
	case v.Status == 0 && v.Err != nil:
		return fmt.Errorf("%s: %w", where, v.Err)
	case (v.Status != http.StatusOK || len(v.Frames) == 0) && page(v.Answer):
		return fmt.Errorf("%s answered %d with an HTML page, expected 200 with an event stream; is routes.%s right?", where, v.Status, route)
	case v.Status != http.StatusOK:
		return fmt.Errorf("%s answered %d, expected 200 with an event stream; are routes.%s%s and the headers right? %s", where, v.Status, route, right, FirstLine(v.Answer))
	case len(v.Frames) == 0:
		return fmt.Errorf("%s answered 200 and no event, expected an event stream; is routes.%s right?", where, route)
	case page(v.Frames[0].Raw):
		return fmt.Errorf("%s answered with an HTML page, expected an event stream; is routes.%s right?", where, route)
	}
	return nil
}
