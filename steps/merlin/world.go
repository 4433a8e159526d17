package merlin

import (
	"encoding/json"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/merlin"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/steps"
)

// world is the state of a scenario of pack merlin.
type world struct {
	*steps.World

	version int              // of the latest stream; 0 before the first
	name    string           // of the latest stream
	reader  *target.Reader   // of the latest stream
	earlier []*target.Reader // of the streams before it
	frames  []*wire.Frame    // that the steps have taken of the latest stream, those with data
	over    bool             // the body of the latest stream has ended
	played  *steps.Histories // nil before a campaign was played
	advised bool             // a played history has a deviation from a recommendation
}

func of(w *steps.World) *world {
	return steps.Of(w, func(w *steps.World) *world { return &world{World: w} })
}

// Finish waits for the end of a response whose last event has come, or that is no stream.
func (w *world) Finish() {
	if w.reader == nil {
		return
	}
	v := w.reader.Now()
	ended := v.Status != 0 && !v.IsEventStream()
	for _, f := range v.Frames {
		ended = ended || f.Event == "end"
	}
	if ended {
		_, _ = w.reader.Ended() // the judge checks the rest
	}
}

// Taken returns how many frames of a response the steps have looked at.
func (w *world) Taken(e *target.Exchange) int {
	for _, r := range append(w.earlier, w.reader) {
		if r != nil && r.Exchange == e {
			return r.Taken()
		}
	}
	return 0
}

// Timestamps are none: events have no time in them.
func (*world) Timestamps() []int64 { return nil }

// request requests a stream with a script.
func (w *world) request(version int, script string, untrusted bool) error {
	start, list, err := Script(script)
	if err != nil {
		return steps.Faultf("%v", err)
	}
	if why := w.Env().Unscripted; why != "" {
		return &steps.Unprovable{Reason: why}
	}
	w.begin(version)
	request := merlin.Request("", w.name, start, list)
	if set := w.Env().Schemas; set != nil {
		if found := set.Document("request", 0, request).Findings; len(found) > 0 {
			return steps.Faultf("the request isn't in the shape of spec/merlin/control.md: %s", found[0].Message)
		}
	}
	w.reader, err = merlin.RequestStream(w.Session(), merlin.StreamRequest{
		Version: version, Stream: w.name, Start: start, Instructions: list, Requirement: w.Requirement(), Heading: w.Step(), Untrusted: untrusted,
	})
	return err
}

// requestWithSecrets posts a body that is no request of the pack, with headers that hold secrets.
func (w *world) requestWithSecrets(version int, quoted string) (err error) {
	var body string
	if json.Unmarshal([]byte(quoted), &body) != nil {
		return steps.Faultf("%s is no JSON string", quoted)
	}
	w.begin(version)
	w.reader, err = merlin.RequestStream(w.Session(), merlin.StreamRequest{
		Version: version, Heading: w.Step(), Headers: steps.Secrets(), Spelling: func([]byte) []byte { return []byte(body) },
	})
	return err
}

// begin resets what belongs to the latest stream.
func (w *world) begin(version int) {
	if w.reader != nil {
		w.earlier = append(w.earlier, w.reader)
	}
	w.version, w.name, w.reader, w.frames, w.over = version, w.Session().Coin("stream"), nil, nil, false
}

// modelled reports whether the model of the server performs the script.
func modelled(w *world) bool { return w.Session().PlayedBy(w.reader.Exchange) != "" }

// next takes the next event with data; nil at the end of the body.
func (w *world) next(awaited string) (*wire.Frame, error) {
	if w.reader == nil {
		return nil, steps.Faultf("there is no stream")
	}
	by := w.Session().Target().By()
	for !w.over {
		f, err := w.reader.Next(awaited, by)
		if err != nil {
			return nil, err
		}
		if f == nil {
			w.over = true
			break
		}
		if f.Dispatched() {
			w.frames = append(w.frames, f)
			return f, nil
		}
	}
	return nil, nil
}

// readToEnd reads every event up to the end of the body.
func (w *world) readToEnd() error {
	for {
		f, err := w.next("the end of the stream")
		if err != nil {
			return err
		}
		if f == nil {
			break
		}
	}
	if v := w.reader.Now(); v.Status != 200 {
		return &steps.Failure{
			Finding:  record.Finding{Message: "the stream", Want: "200 and a stream", Got: steps.StatusOf(v), Frame: -1},
			Exchange: w.reader.Exchange,
		}
	}
	return nil
}

// failure returns the failure of the complete stream.
func (w *world) failure(message, want, got string) error {
	return &steps.Failure{Finding: record.Finding{Message: message, Want: want, Got: got, Frame: -1}, Exchange: w.reader.Exchange}
}

// pass opens a barrier.
func (w *world) pass(barrier string) error {
	call, err := merlin.Release(w.Session(), w.reader, w.name, barrier)
	if err != nil {
		return err
	}
	if call != nil && call.Now().Status/100 != 2 {
		return steps.Refused(call, "the release of a barrier")
	}
	return nil
}
