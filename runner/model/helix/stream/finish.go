package stream

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/document"
)

// unclassified is the code of a failure that was given none.
const unclassified = "framework_internal_error"

// finish is the end of a stream, and the terminal frames that readers received.
//
// Invariant: the first former of terminals are of ends before the last reset that followed one. final and code keep their
// value until the next end.
type finish struct {
	final     string     // the output of an end as compact JSON, "" for none, or the text of a failure
	code      string     // of a failure, "" for none
	terminals []Position // each once
	former    int        // terminals that a reset has made obsolete
}

// with returns the finish after another terminal call.
func (f finish) with(final, code string) finish {
	return finish{final: final, code: code, terminals: f.terminals, former: len(f.terminals)}
}

// saw records the id of a terminal frame that came after a number of chunks.
func (f *finish) saw(id int64, chunks int) {
	if position := (Position{ID: id, at: chunks}); !slices.Contains(f.terminals, position) {
		f.terminals = append(f.terminals, position)
	}
}

// check compares a terminal frame with the end of the stream.
func (f *finish) check(m *frame.Content, occasions model.OccasionCounts) error {
	if m.Type == "fail" {
		return f.checkFailure(m)
	}
	if m.FinalOutput == nil { // it may be left out
		return nil
	}
	if f.final != "" && string(m.FinalOutput) == f.final {
		occasions.Saw("helix.lifecycle.final-output")
		return nil
	}
	var want, got any
	if f.final == "" && string(m.FinalOutput) == "null" { // some servers send null for no output
		return nil
	}
	if f.final == "" || json.Unmarshal([]byte(f.final), &want) != nil || json.Unmarshal(m.FinalOutput, &got) != nil {
		return model.Violated("helix.lifecycle.final-output", f.final, model.Clipped(m.FinalOutput), "the end frame has an output")
	}
	if rule, where := document.Differs(want, got); rule != "" {
		return model.Unequal("helix.lifecycle.final-output", []byte(f.final), m.FinalOutput, "the end frame has another output%s", where)
	}
	occasions.Saw("helix.lifecycle.final-output")
	return nil
}

func (f *finish) checkFailure(m *frame.Content) error {
	text, isText := frame.Text(m.Error)
	switch code, _ := frame.Text(m.Code); {
	case !isText:
		return model.Violated("helix.lifecycle.fail", strconv.Quote(f.final), "none", "the fail frame has no text")
	case text != f.final:
		return model.Violated("helix.lifecycle.fail", strconv.Quote(f.final), strconv.Quote(text), "the fail frame has another text")
	case code != "" && code != cmp.Or(f.code, unclassified): // it may be left out
		return model.Violated("helix.errors.fail-code", f.code, code, "the fail frame has another code")
	}
	return nil
}
