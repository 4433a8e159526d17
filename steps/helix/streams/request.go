package streams

import (
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// origin is the origin of a browser client.
const origin = "https://app.example"

func requestSteps(v *steps.Sentences[*world.World]) {
	steps.Step0(v, features.When, `^a client attaches to a stream that never was$`, func(w *world.World) error { return attachUnknown(w, target.ReadRequest{}) })
	steps.Step1(v, features.When, `^a client attaches to a stream called "([^"]+)" that never was$`, func(w *world.World, name string) error {
		w.Streams["unknown"] = world.StreamOf(w, "unknown", name)
		return attachTo(w, "unknown", target.ReadRequest{})
	})
	steps.Step0(v, features.When, `^a client resumes a stream that never was$`, func(w *world.World) error {
		return attachUnknown(w, target.ReadRequest{Cursor: ref("3")})
	})
	steps.Step0(v, features.When, `^a client resumes a stream that never was by query$`, func(w *world.World) error {
		return attachUnknown(w, at("3", "query"))
	})
	steps.Step2(v, features.When, `^a client resumes a stream that never was with the cursor "([^"]*)" in the (header|query)$`, func(w *world.World, cursor, place string) error {
		return attachUnknown(w, at(cursor, place))
	})
	steps.Step0(v, features.When, `^a client with secrets attaches to a stream that never was$`, func(w *world.World) error {
		return attachUnknown(w, target.ReadRequest{Headers: steps.Secrets()})
	})
	steps.Step1(v, features.When, `^a client with secrets resumes with the cursor "([^"]*)"$`, func(w *world.World, cursor string) error {
		return w.AttachOnly("client", target.ReadRequest{Cursor: ref(cursor), Headers: steps.Secrets()})
	})
	steps.Step0(v, features.When, `^the client attaches without its credential$`, func(w *world.World) error {
		return w.AttachOnly("client", target.ReadRequest{LeaveOut: w.Session().Target().Credentials()})
	})
	steps.Step0(v, features.When, `^the client attaches from another origin$`, func(w *world.World) error {
		return w.AttachOnly("client", target.ReadRequest{Headers: map[string]string{"Origin": origin}})
	})
	answerSteps(v)
}

func answerSteps(v *steps.Sentences[*world.World]) {
	steps.Step1(v, features.Then, `^the answer is (\d+(?: or \d+)*)$`, answers)
	steps.Step0(v, features.Then, `^the answer is no event stream$`, func(w *world.World) error {
		c, got, err := head(w)
		if err != nil {
			return err
		}
		if got.IsEventStream() {
			return c.Failure("an answer that is no event stream", "content-type "+strconv.Quote(got.Get("content-type")), nil)
		}
		w.Saw(1)
		return nil
	})
	steps.Step0(v, features.Then, `^the answer allows the origin$`, func(w *world.World) error {
		c, got, err := head(w)
		if err != nil {
			return err
		}
		if allowed := got.Get("access-control-allow-origin"); allowed != "*" && allowed != origin {
			return c.Failure("access-control-allow-origin with * or "+origin, strconv.Quote(allowed), nil)
		}
		w.Saw(1)
		return nil
	})
	steps.Step0(v, features.Then, `^the answer holds no secret$`, func(w *world.World) error {
		c, _, err := head(w)
		if err != nil {
			return err
		}
		got, err := c.Reader.Ended()
		if err != nil {
			return c.Where(err)
		}
		if steps.RepeatsSecret(got) {
			return c.Failure("an error without the secrets of the request", steps.Clip(got.Answer), nil)
		}
		if got.Status >= 400 {
			w.Saw(1)
		}
		return nil
	})
}

// attachUnknown attaches to a stream that never had a writer.
func attachUnknown(w *world.World, r target.ReadRequest) error {
	w.Streams["unknown"] = world.StreamOf(w, "unknown", w.Session().NewStream())
	return attachTo(w, "unknown", r)
}

func attachTo(w *world.World, name string, r target.ReadRequest) error {
	_, err := w.Attach("client", name, r)
	return err
}

func head(w *world.World) (*world.Client, record.Response, error) {
	c, ok := w.Clients["client"]
	if !ok {
		return nil, record.Response{}, steps.Faultf("no client is attached")
	}
	got, err := c.Reader.Head()
	if err != nil {
		return c, got, c.Where(err)
	}
	return c, got, nil
}

// answers checks the status of the last answer to a document request.
func answers(w *world.World, list string) error {
	var e *target.Exchange
	var status int
	if w.Answer != nil {
		e, status = w.Answer, w.Answer.Now().Status
	} else {
		c, got, err := head(w)
		if err != nil {
			return err
		}
		if got.Status != 200 {
			// The judge of transcripts covers the other members of a refusal.
			if _, err := c.Reader.Ended(); err != nil {
				return c.Where(err)
			}
		}
		e, status = c.Reader.Exchange, got.Status
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
