package steps

import (
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
)

// sentinel stands for a secret that a client sends and that no answer may show.
const sentinel = "s3cret-0f-the-client"

// origin is the page that a browser client comes from.
const origin = "https://app.example"

func requestSteps(v *Vocabulary) {
	step0(v, features.When, `^a client attaches to a stream that never was$`, func(w *World) error { return w.attachUnknown(target.ReadRequest{}) })
	step1(v, features.When, `^a client attaches to a stream called "([^"]+)" that never was$`, func(w *World, name string) error {
		w.streams["unknown"] = &stream{name: "unknown", id: name}
		return w.attachTo("unknown", target.ReadRequest{})
	})
	step0(v, features.When, `^a client resumes a stream that never was$`, func(w *World) error {
		return w.attachUnknown(target.ReadRequest{Cursor: ref("3")})
	})
	step0(v, features.When, `^a client with secrets attaches to a stream that never was$`, func(w *World) error {
		return w.attachUnknown(target.ReadRequest{Headers: secrets()})
	})
	step1(v, features.When, `^a client with secrets resumes with the cursor "([^"]*)"$`, func(w *World, cursor string) error {
		return w.attachOnly("client", target.ReadRequest{Cursor: ref(cursor), Headers: secrets()})
	})
	step0(v, features.When, `^the client attaches without its credential$`, func(w *World) error {
		return w.attachOnly("client", target.ReadRequest{LeaveOut: w.session.Target().Credentials()})
	})
	step0(v, features.When, `^the client attaches from another origin$`, func(w *World) error {
		return w.attachOnly("client", target.ReadRequest{Headers: map[string]string{"Origin": origin}})
	})
	answerSteps(v)
}

func answerSteps(v *Vocabulary) {
	step1(v, features.Then, `^the answer is (\d+(?: or \d+)*)$`, func(w *World, list string) error { return w.answers(list) })
	step0(v, features.Then, `^the answer is no event stream$`, func(w *World) error {
		c, got, err := w.head()
		if err != nil {
			return err
		}
		if got.IsEventStream() {
			return c.failure("an answer that is no event stream", "content-type "+strconv.Quote(got.Get("content-type")), nil)
		}
		w.saw(1)
		return nil
	})
	step0(v, features.Then, `^the answer allows the origin$`, func(w *World) error {
		c, got, err := w.head()
		if err != nil {
			return err
		}
		if allowed := got.Get("access-control-allow-origin"); allowed != "*" && allowed != origin {
			return c.failure("access-control-allow-origin with * or "+origin, strconv.Quote(allowed), nil)
		}
		w.saw(1)
		return nil
	})
	step0(v, features.Then, `^the answer holds no secret$`, func(w *World) error {
		c, _, err := w.head()
		if err != nil {
			return err
		}
		got, err := c.reader.Ended()
		if err != nil {
			return c.where(err)
		}
		said := string(got.Answer)
		for _, h := range got.Response {
			said += "\n" + h.Value
		}
		if strings.Contains(said, sentinel) {
			return c.failure("an error without the secrets of the request", clip(got.Answer), nil)
		}
		w.saw(1)
		return nil
	})
}

func secrets() map[string]string {
	return map[string]string{"Cookie": "session=" + sentinel, "X-Api-Key": sentinel}
}

// attachUnknown attaches to a stream that no writer ever opened.
func (w *World) attachUnknown(r target.ReadRequest) error {
	w.streams["unknown"] = &stream{name: "unknown", id: w.session.NewStream()}
	return w.attachTo("unknown", r)
}

func (w *World) attachTo(name string, r target.ReadRequest) error {
	_, err := w.attach("client", name, r)
	return err
}

func (w *World) head() (*clientState, target.View, error) {
	c, ok := w.clients["client"]
	if !ok {
		return nil, target.View{}, fault("no client is attached")
	}
	got, err := c.reader.Head()
	if err != nil {
		return c, got, c.where(err)
	}
	return c, got, nil
}

// answers checks the status of the last thing asked for.
func (w *World) answers(list string) error {
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
			w.otherwise = w.otherwise || i > 0
			w.saw(1)
			return nil
		}
	}
	return &Failure{Message: "the answer to " + e.Method + " " + e.Path, Want: list, Got: statusOf(e.Now()), Exchange: e, Frame: -1}
}
