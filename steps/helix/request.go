package helix

import (
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// origin is the page that a browser client comes from.
const origin = "https://app.example"

func requestSteps(v *steps.Sentences[*world]) {
	steps.Step0(v, features.When, `^a client attaches to a stream that never was$`, func(w *world) error { return attachUnknown(w, target.ReadRequest{}) })
	steps.Step1(v, features.When, `^a client attaches to a stream called "([^"]+)" that never was$`, func(w *world, name string) error {
		w.streams["unknown"] = streamOf(w, "unknown", name)
		return w.attachTo("unknown", target.ReadRequest{})
	})
	steps.Step0(v, features.When, `^a client resumes a stream that never was$`, func(w *world) error {
		return attachUnknown(w, target.ReadRequest{Cursor: ref("3")})
	})
	steps.Step0(v, features.When, `^a client resumes a stream that never was by query$`, func(w *world) error {
		return attachUnknown(w, at("3", "query"))
	})
	steps.Step2(v, features.When, `^a client resumes a stream that never was with the cursor "([^"]*)" in the (header|query)$`, func(w *world, cursor, place string) error {
		return attachUnknown(w, at(cursor, place))
	})
	steps.Step0(v, features.When, `^a client with secrets attaches to a stream that never was$`, func(w *world) error {
		return attachUnknown(w, target.ReadRequest{Headers: steps.Secrets()})
	})
	steps.Step1(v, features.When, `^a client with secrets resumes with the cursor "([^"]*)"$`, func(w *world, cursor string) error {
		return w.attachOnly("client", target.ReadRequest{Cursor: ref(cursor), Headers: steps.Secrets()})
	})
	steps.Step0(v, features.When, `^the client attaches without its credential$`, func(w *world) error {
		return w.attachOnly("client", target.ReadRequest{LeaveOut: w.Session().Target().Credentials()})
	})
	steps.Step0(v, features.When, `^the client attaches from another origin$`, func(w *world) error {
		return w.attachOnly("client", target.ReadRequest{Headers: map[string]string{"Origin": origin}})
	})
	answerSteps(v)
}

func answerSteps(v *steps.Sentences[*world]) {
	steps.Step1(v, features.Then, `^the answer is (\d+(?: or \d+)*)$`, answers)
	steps.Step0(v, features.Then, `^the answer is no event stream$`, func(w *world) error {
		c, got, err := w.head()
		if err != nil {
			return err
		}
		if got.IsEventStream() {
			return c.failure("an answer that is no event stream", "content-type "+strconv.Quote(got.Get("content-type")), nil)
		}
		w.Saw(1)
		return nil
	})
	steps.Step0(v, features.Then, `^the answer allows the origin$`, func(w *world) error {
		c, got, err := w.head()
		if err != nil {
			return err
		}
		if allowed := got.Get("access-control-allow-origin"); allowed != "*" && allowed != origin {
			return c.failure("access-control-allow-origin with * or "+origin, strconv.Quote(allowed), nil)
		}
		w.Saw(1)
		return nil
	})
	steps.Step0(v, features.Then, `^the answer holds no secret$`, func(w *world) error {
		c, _, err := w.head()
		if err != nil {
			return err
		}
		got, err := c.reader.Ended()
		if err != nil {
			return c.where(err)
		}
		emitted := string(got.Answer)
		for _, h := range got.Header {
			emitted += "\n" + h.Value
		}
		if strings.Contains(emitted, steps.Sentinel) {
			return c.failure("an error without the secrets of the request", steps.Clip(got.Answer), nil)
		}
		if got.Status >= 400 {
			w.Saw(1)
		}
		return nil
	})
}

// attachUnknown attaches to a stream that no writer ever opened.
func attachUnknown(w *world, r target.ReadRequest) error {
	w.streams["unknown"] = streamOf(w, "unknown", w.Session().NewStream())
	return w.attachTo("unknown", r)
}

func (w *world) attachTo(name string, r target.ReadRequest) error {
	_, err := w.attach("client", name, r)
	return err
}

func (w *world) head() (*clientState, record.Response, error) {
	c, ok := w.clients["client"]
	if !ok {
		return nil, record.Response{}, steps.Faultf("no client is attached")
	}
	got, err := c.reader.Head()
	if err != nil {
		return c, got, c.where(err)
	}
	return c, got, nil
}

// answers checks the status of the last thing asked for.
func answers(w *world, list string) error {
	var e *target.Exchange
	var status int
	if w.answer != nil {
		e, status = w.answer, w.answer.Now().Status
	} else {
		c, got, err := w.head()
		if err != nil {
			return err
		}
		if got.Status != 200 {
			// The rest of a refusal belongs to the transcript.
			if _, err := c.reader.Ended(); err != nil {
				return c.where(err)
			}
		}
		e, status = c.reader.Exchange, got.Status
	}
	for i, want := range strings.Split(list, " or ") {
		if want == strconv.Itoa(status) {
			if i > 0 {
				w.NoteAlternative()
			}
			w.Saw(1)
			return nil
		}
	}
	return &steps.Failure{Finding: record.Finding{Message: "the answer to " + e.Method + " " + e.Path, Want: list, Got: steps.StatusOf(e.Now()), Frame: -1}, Exchange: e}
}
