package beacon

import (
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/packs/testdata/runner/target/beacon"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// texts is the part of a pattern that captures JSON strings with commas between them.
const texts = `("(?:[^"\\]|\\.)*"(?:, "(?:[^"\\]|\\.)*")*)`

// Vocabulary is every sentence that the feature files of this pack may use.
func Vocabulary() *steps.Vocabulary {
	return steps.NewVocabulary(of, func(v *steps.Sentences[*world]) {
		steps.Step1(v, features.Given, `^the order `+texts+`$`, (*world).order)
		steps.Step0(v, features.When, `^a watcher asks for the order$`, (*world).watch)
		steps.Step1(v, features.Then, `^the watcher sees (.+)$`, (*world).sees)
	})
}

// Fixtures are the worlds that show of each Then that it can fail.
func Fixtures() []steps.Fixture {
	scene := []string{`the order "land", "ho"`, "a watcher asks for the order"}
	return []steps.Fixture{
		{Then: `the watcher sees lit, flash "land", flash "ho", dark`, Setup: scene, Mutant: "loses-last-flash", Message: `got lit, flash "land", dark`},
		{Then: "no exchange of this scenario breaks this rule", Of: "beacon.signals.lit", Setup: scene, Mutant: "never-lit", Message: "begins with another signal"},
	}
}

// world is the state of a scenario of this pack.
type world struct {
	*steps.World

	name   string // of the order
	reader *target.Reader
}

func of(w *steps.World) *world {
	return steps.Of(w, func(w *steps.World) *world { return &world{World: w} })
}

// Finish waits for the end of the response.
func (w *world) Finish() {
	if w.reader != nil {
		_, _ = w.reader.Ended() // what came is for the judge to look at
	}
}

// Taken returns how many frames of a response the steps have looked at.
func (w *world) Taken(e *target.Exchange) int {
	if w.reader == nil || w.reader.Exchange != e {
		return 0
	}
	return w.reader.Taken()
}

// Timestamps are none: signals have no time in them.
func (*world) Timestamps() []int64 { return nil }

func (w *world) order(list string) error {
	var all []string
	if err := json.Unmarshal([]byte("["+list+"]"), &all); err != nil {
		return steps.Faultf("%s are no JSON strings: %v", list, err)
	}
	w.name = w.Session().Coin("order")
	call, err := w.Call("POST", beacon.Orders(w.Session().Target()), beacon.Order(w.name, all), false)
	if err != nil {
		return err
	}
	if call.Now().Status/100 != 2 {
		return steps.Refused(call, "the order")
	}
	return nil
}

func (w *world) watch() (err error) {
	w.reader, err = beacon.Ask(w.Session(), w.name, w.Step())
	return err
}

// sees compares the signals up to the end of the body, each shown by its name and, if it has one, its text.
func (w *world) sees(want string) error {
	var got []string
	by := w.Session().Target().By()
	for {
		f, err := w.reader.Next("a signal", by)
		if err != nil {
			return err
		}
		if f == nil {
			break
		}
		var flash struct{ Text json.RawMessage }
		shown := f.Event
		if json.Unmarshal(f.Data, &flash) == nil && flash.Text != nil {
			shown += " " + string(flash.Text)
		}
		got = append(got, shown)
	}
	w.Saw(1)
	if came := strings.Join(got, ", "); came != want {
		return &steps.Failure{
			Finding:  record.Finding{Message: "the signals of the stream", Want: want, Got: came, Frame: -1},
			Exchange: w.reader.Exchange,
		}
	}
	return nil
}
