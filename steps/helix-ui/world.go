package helixui

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
	"github.com/streamcert/streamcert/steps"
)

// utterance is the user message of turns whose scenario gives none.
const utterance = "Plan the trip"

// world is the state of a scenario of pack helix-ui: the chat, and its requested turns.
type world struct {
	*steps.World

	chat    string          // its id, "" before the first request
	turns   []*turn         // requests, and readers that came back
	history client.Recalled // the latest answer about the messages; without an exchange before

	rereads bool // an answer could be read again

	played   *steps.Histories // nil before a campaign was played
	hides    bool             // reasoning were waited for in a history, and none came
	returned []returned       // readers that came back while the agent waited
}

// of returns the state of a scenario, the same for each of its steps.
func of(w *steps.World) *world {
	return steps.Of(w, func(w *steps.World) *world { return &world{World: w} })
}

// Finish waits for the end of every body, unless its agent waits.
func (w *world) Finish() {
	for _, t := range w.turns {
		t.finish()
	}
}

// Taken returns how many frames of a response the steps have looked at.
func (w *world) Taken(e *target.Exchange) int {
	for _, t := range w.turns {
		if t.reader.Exchange == e {
			return t.reader.Taken()
		}
	}
	return 0
}

// Timestamps returns none: requests of a scenario contain no timestamps.
func (*world) Timestamps() []int64 { return nil }

func requestSteps(v *steps.Sentences[*world]) {
	steps.Doc2(v, features.When, `^a request for a part ([a-z-]+), with this script:$`, func(w *world, _, script string) error {
		return w.request(script, client.Request{})
	})
	steps.Both(func(k features.Keyword) {
		steps.Doc1(v, k, `^a request with this script:$`, func(w *world, script string) error { return w.request(script, client.Request{}) })
		steps.Doc2(v, k, `^a request with the metadata (.+), and this script:$`, func(w *world, metadata, script string) error {
			return w.request(script, client.Request{Metadata: json.RawMessage(metadata)})
		})
		steps.Step1(v, k, `^the agent passes "([^"]+)"$`, release)
	})
}

// request posts a message whose agent performs a script.
func (w *world) request(script string, r client.Request) error {
	if err := json.Unmarshal([]byte(script), &r.Script); err != nil {
		return steps.Faultf("the script is no JSON array: %v", err)
	}
	if w.chat == "" {
		w.chat = w.Session().Coin("stream")
	}
	r.Chat, r.Text = w.chat, utterance
	if set := w.Env().Schemas; set != nil {
		if found := set.Document("request", 0, r.Body()).Findings; len(found) > 0 {
			return steps.Faultf("the request isn't in the shape of spec/helix-ui/control.md: %s", found[0].Message)
		}
	}
	reader, err := client.Send(w.Session(), r, target.StreamRequest{Heading: w.Step()})
	if _, missing := target.IsUnavailable(err); missing {
		return &steps.Unprovable{Reason: err.Error()}
	}
	if err != nil {
		return steps.Faultf("making a request: %v", err)
	}
	waits := strings.Contains(script, `"await"`) || strings.Contains(script, `"hang"`)
	w.turns = append(w.turns, &turn{w: w.World, reader: reader, script: r.Script, scripted: true, isResponse: true, waits: waits})
	return nil
}

// release opens a barrier of the agent of the latest turn.
func release(w *world, barrier string) error {
	t, err := w.requestedTurn()
	if err == nil {
		err = t.canScript()
	}
	if err != nil {
		return err
	}
	call, err := client.Release(w.Session(), t.reader, w.chat, barrier)
	if err != nil || call == nil {
		return err
	}
	if call.Now().Status/100 != 2 {
		return steps.Refused(call, "the release of barrier "+barrier)
	}
	return nil
}

// requestedTurn returns the latest request, not counting resumed readers.
func (w *world) requestedTurn() (*turn, error) {
	for _, t := range slices.Backward(w.turns) {
		if t.isResponse {
			return t, nil
		}
	}
	return nil, steps.Faultf("no request was made")
}

// answered returns the latest request, whose answer was read to its end.
func answered(w *world) (*turn, error) {
	t, err := w.requestedTurn()
	if err == nil {
		err = t.where(t.readToEnd())
	}
	return t, err
}

// latest returns the latest response.
func (w *world) latest() (*turn, error) {
	if len(w.turns) == 0 {
		return nil, steps.Faultf("no request was made")
	}
	return w.turns[len(w.turns)-1], nil
}

// onTurn calls a step with the latest turn.
func onTurn(f func(*turn) error) func(*world) error {
	return func(w *world) error {
		t, err := w.latest()
		if err != nil {
			return err
		}
		return t.where(f(t))
	}
}

// onTurn1 is onTurn for a step that captures something.
func onTurn1[A any](f func(*turn, A) error) func(*world, A) error {
	return func(w *world, a A) error {
		return onTurn(func(t *turn) error { return f(t, a) })(w)
	}
}

// returned is a reader that came back while the agent waited.
type returned struct {
	turn    *turn           // without a script
	id      string          // that it came with, "" for a page that was refreshed
	history client.Recalled // the history that the page loaded before; without an exchange for a reader with an id
}
