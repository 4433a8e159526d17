package helixui

import (
	"encoding/json"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
)

// Result is the result of playing a program.
type Result struct {
	Failure   *Failure             // nil if the server did nothing wrong
	Occasions model.OccasionCounts // number of checks by requirement
	// Busy: the server refused a request because of its load or their rate, so that nothing was found out.
	Busy bool
	// Hides: the server claims to show reasoning, and sent none of what the program waited for.
	Hides bool
}

// Options configure how a program is played.
type Options struct {
	// Judge returns the judge's findings on an exchange, and its counts of checks; it may be nil.
	Judge campaign.Judge
	// Schema returns the first finding of the schema of histories, "" for none; it may be nil.
	Schema func(history []byte) string
	// Hides: the player doesn't wait for reasoning.
	Hides bool
}

// play is a program that is played.
type play struct {
	session   *target.Session // that makes all requests
	options   Options
	claims    model.Claims         // of the target; Reasoning falls once the player waited in vain
	hides     bool                 // the player waited for reasoning, and none came
	history   bool                 // the target has a history
	replays   bool                 // a refreshed page gets the turn's content so far again
	known     bool                 // its history of a chat with a usual name was read
	ownless   bool                 // it can't be scripted to send parts of an application
	occasions model.OccasionCounts // of all chats
	name      string               // with which those of its chats begin
	chats     map[int]*chat        // by number; made by the first turn of each
}

// chat is one chat of a program.
type chat struct {
	name      string            // its id
	model     model.Chat        // of its history
	before    []json.RawMessage // its messages in the last read history
	turns     int               // turns so far
	choice    int               // of the latest turn
	free      bool              // the turn before is over, and has no barrier
	mayRefuse bool              // its name is one that a server may refuse
	last      string            // the id of the last part of the turn before; "" if it has none
}

// answer is a requested turn with its model.
type answer struct {
	*setup
	chat    *chat          // whose latest turn it is
	turn    *model.Turn    // compares each part as it comes
	request *target.Reader // the request, which identifies the barrier
	posted  client.Request // the request that was sent last
	free    bool           // value of the turn before, when this one was sent
	before  string         // the id of the last part of the turn before; "" if there is none
	reader  *target.Reader // of the latest connection
	headed  bool           // its head was looked at
	left    bool           // the client has disconnected and resumed
	over    bool           // nothing more is played of it

	parts    []model.Part  // in the order of arrival, each once
	account  model.Account // of parts
	returned []*returned   // in the order in which they came back
}

// returned is a reader that came back while the answer was open.
type returned struct {
	reader       *target.Reader   // attached until the turn ends
	id           string           // that it came with
	behind       int              // how many parts were sent up to it
	page         bool             // it is a page that was refreshed, and has none
	returns      bool             // the page comes back after the turn
	choice       int              // of how it does
	previousTurn bool             // the id is that of the last part of the turn before
	stalled      bool             // it reads nothing while the turn goes on
	awake        bool             // it did, and reads now
	messages     []map[string]any // of the history that the page loaded; nil for a reader with an id
	got          []model.Part     // parts read while the turn was active
	received     int              // bytes of the answer that it received, from the history and the stream
}

// identified reports whether the last part that came has an id.
func (a *answer) identified() bool { return a.parts[len(a.parts)-1].ID != "" }

// buffer returns the receive buffer of the client that requests an answer, in bytes; 0 is the default.
func (s *setup) buffer() int {
	if s.slow {
		return campaign.NarrowBuffer
	}
	return 0
}

// wakes has every reader that stalls read, and reports whether there was one.
func (a *answer) wakes() (any bool) {
	for _, r := range a.returned {
		if r.stalled && !r.awake {
			r.awake, any = true, true
			r.reader.Resume()
		}
	}
	return any
}

// next reads the next part; nil at the end of the body. The turn determines the meaning of unreadable data.
func (p *play) next(r *target.Reader, t *model.Turn) (*model.Part, error) {
	by := p.session.Target().By()
	for {
		f, err := r.Next("the next part", by)
		if err != nil || f == nil {
			return nil, err
		}
		if !f.Dispatched() || string(f.Data) == "[DONE]" {
			continue
		}
		part := &model.Part{}
		if f.HasID {
			part.ID = f.ID
		}
		if json.Unmarshal(f.Data, &part.Members) == nil && part.Members != nil {
			return part, nil
		}
		if t != nil {
			if err := t.Garbled(f.Data); err != nil {
				return nil, campaign.At(r.Exchange, err)
			}
		}
	}
}

// judged passes an exchange to the judge of the pack. A violation of a recommendation ends no history.
func (p *play) judged(e *target.Exchange) error {
	return p.options.Judge.Check(e, model.Judged(), p.occasions)
}
