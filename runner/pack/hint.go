package pack

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
)

// Silence returns the probable reason why the model's text didn't come from a server, by the server's requests to the
// model.
func Silence(t *target.Target) string {
	m := t.Model()
	all, marked := m.Requests()
	switch notes := m.Notes(); {
	case len(notes) > 0:
		return notes[0]
	case all == 0:
		return fmt.Sprintf("the model at %s got no request; does the server take the address of its provider from %s?",
			m.URL(), cmp.Or(t.ModelConfig().Env, "a variable that model.env of the config names"))
	case marked == 0:
		return fmt.Sprintf("the model got requests, %d, and none had the text of the user; does the server read the text where model.start.body puts it?", all)
	}
	return fmt.Sprintf("the model answered %d requests; does the server pass on what it says?", marked)
}

// refusedBody are the statuses with which servers refuse a body that they don't understand.
var refusedBody = []int{http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity}

// Hint advises what to check after a preflight was answered with a status of 300 or more. route names the setting of the
// route, such as routes.stream, and right the other settings that matter.
func Hint(t *target.Target, v record.Response, route string) string {
	hint := "are " + requestSetting(t, route) + " and the headers right?"
	switch modelled := t.Model() != nil; {
	case v.Status == http.StatusUnauthorized, v.Status == http.StatusForbidden:
		hint = "does the server want a credential that headers of the config lack?"
	case slices.Contains(refusedBody, v.Status) && modelled && t.ModelConfig().Start.IsSet():
		hint = "is model.start.body what the server takes?"
	case v.Status >= 500 && modelled:
		hint = "the server failed; " + Silence(t)
	case v.Status >= 500:
		hint = "the server failed; what it wrote may say why"
	}
	if body := begin(v.Answer); body != "" {
		hint += " (its answer: " + body + ")"
	}
	return hint
}

// requestSetting returns the setting that determines a request: the template of a request replaces the route.
func requestSetting(t *target.Target, route string) string {
	if t.Model() != nil && t.ModelConfig().Start.IsSet() {
		return "model.start.path"
	}
	return route
}

// begin returns the beginning of an answer on one line, for a message.
func begin(answer []byte) string {
	const most = 200
	text := strings.Join(strings.Fields(string(answer[:min(len(answer), 4*most)])), " ")
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// NoStream returns why the answer to a preflight isn't a stream, nil if it is one. where names the request, route the
// setting of its route, and right the other settings that matter.
func NoStream(t *target.Target, where string, v record.Response, route, right string) error {
	events := slices.ContainsFunc(v.Frames, (*wire.Frame).Dispatched)
	var body []byte
	for _, f := range v.Frames {
		body = append(body, f.Raw...)
	}
	switch {
	case v.Status == 0 && v.Err != nil:
		return fmt.Errorf("%s: %w", where, v.Err)
	case (v.Status != http.StatusOK || len(v.Frames) == 0) && IsPage(v.Get("content-type"), v.Answer):
		return fmt.Errorf("%s answered %d with an HTML page, expected 200 with an event stream; is %s right?", where, v.Status, requestSetting(t, "routes."+route))
	case v.Status != http.StatusOK:
		return fmt.Errorf("%s answered %d, expected 200 with an event stream; %s", where, v.Status, Hint(t, v, "routes."+route+right))
	case len(v.Frames) > 0 && IsPage(v.Get("content-type"), v.Frames[0].Raw):
		return fmt.Errorf("%s answered with an HTML page, expected an event stream; is %s right?", where, requestSetting(t, "routes."+route))
	case !events && !v.IsEventStream() && v.Get("content-type") != "":
		return fmt.Errorf("%s answered 200 with %s, expected text/event-stream; does the handler answer with the events of the protocol, or with the text alone? (its answer: %s)",
			where, begin([]byte(v.Get("content-type"))), begin(body))
	case len(v.Frames) == 0:
		return fmt.Errorf("%s answered 200 and no event, expected an event stream; is %s right?", where, requestSetting(t, "routes."+route))
	}
	return nil
}
