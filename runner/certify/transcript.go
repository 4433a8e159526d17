package certify

import (
	"fmt"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target/transcript"
	"github.com/streamcert/streamcert/steps"
)

const (
	maxNotes  = 20      // of one transcript
	noteBytes = 4 << 10 // of received data
)

// bytesOf is about how many bytes a transcript takes.
func bytesOf(t *golden.Transcript) int {
	n := 0
	for _, x := range t.Exchanges {
		n += len(x.Body) + len(x.Answer)
		for _, f := range x.Frames {
			n += len(f)
		}
	}
	return n
}

// transcripts compares the transcripts of a run's rows with the goldens.
type transcripts struct {
	suite   *pack.Suite // whose goldens they are
	options Options     // of the run
	// outlines caches the goldens of scenarios with several rows: by location, a function that reads them once.
	outlines sync.Map

	mu    sync.Mutex    // guards notes
	notes []report.Note // redacted, at most maxNotes of a row
}

// written returns the transcript of a row if the run stores them, and a function that compares it with the golden one if
// the run compares and the row is comparable.
func (t *transcripts) written(sc features.Scenario, title string, w *steps.World) (kept *golden.Transcript, compare func()) {
	compare = func() {}
	if !t.options.Transcripts && !t.options.Compare {
		return nil, compare
	}
	transcript, comparable := t.normalised(sc, title, w)
	if comparable {
		compare = func() { t.compare(sc, transcript) }
	}
	if !t.options.Transcripts {
		return nil, compare
	}
	return &transcript, compare
}

// normalised returns the normalised transcript of a scenario: the requests of its clients, and the responses as far as its
// steps inspected them. comparable reports whether a correct server yields the same as the golden.
func (t *transcripts) normalised(sc features.Scenario, title string, w *steps.World) (_ golden.Transcript, comparable bool) {
	out := golden.Transcript{Name: sc.Requirement, Title: title}
	bindings := golden.Bindings{Literals: map[string]string{}, Timestamps: w.Timestamps()}
	session := w.Session()
	bound := ""
	for _, id := range session.Streams() {
		// An id that contains another one is shown with the other's placeholder.
		if bound == "" || !strings.Contains(id, bound) {
			bindings.Literals[id] = "{stream" + letter(len(bindings.Literals)) + "}"
			bound = id
		}
	}
	coined := map[string]int{} // by class
	for _, name := range session.Names() {
		bindings.Literals[name.Text] = "{" + name.Class + letter(coined[name.Class]) + "}"
		coined[name.Class]++
	}
	for _, e := range session.Exchanges() {
		if e.Kind == record.Control || e.Hidden {
			continue
		}
		x := transcript.Golden(e, w.Taken(e))
		bindings.Produced = bindings.Produced || e.Origin == record.Produced
		out.Exchanges = append(out.Exchanges, x)
	}
	out = t.suite.Pack.Golden.Normalise(out, bindings)
	// The content of a response that the declared time limit ended depends on the machine.
	cut := endsAsDeclared(t.options.Target.Timing().MaxConnection, session.Exchanges())
	return out, !w.UsedAlternative() && !bindings.Produced && !cut
}

// letter makes placeholders of the second and later streams distinct.
func letter(i int) string {
	if i == 0 {
		return ""
	}
	return string(rune('A' + i%26))
}

// compare notes how a transcript differs from the golden.
func (t *transcripts) compare(sc features.Scenario, got golden.Transcript) {
	name := sc.GoldenPath()
	file, err := t.golden(sc)
	if err != nil {
		return // lint reports a golden that is missing or can't be read
	}
	for _, want := range file.Transcripts {
		if want.Name != got.Name || want.Title != got.Title {
			continue
		}
		for i, d := range t.suite.Pack.Golden.Compare(want, got) {
			if i == maxNotes {
				return
			}
			note := report.Note{Scenario: got.Title, Golden: "golden/" + name, Where: d.Where, Want: d.Want, Got: t.options.Target.Redact(d.Got)}
			if len(note.Got) > noteBytes {
				note.Got = fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(note.Got[:noteBytes], ""), len(note.Got))
			}
			t.mu.Lock()
			t.notes = append(t.notes, note)
			t.mu.Unlock()
		}
	}
}

// golden reads the golden of a scenario, once for all rows of an outline.
func (t *transcripts) golden(sc features.Scenario) (golden.File, error) {
	read := func() (golden.File, error) { return golden.Read(t.suite.Files.Golden, sc.GoldenPath()) }
	if len(sc.Rows) == 1 {
		return read()
	}
	once, _ := t.outlines.LoadOrStore(sc.Location(), sync.OnceValues(read))
	return once.(func() (golden.File, error))()
}
