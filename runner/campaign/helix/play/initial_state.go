package play

import (
	"encoding/json"

	"github.com/streamcert/streamcert/runner/target"
)

// initialState is a state that streams of writers begin with. Patches change some of it.
const initialState = `{"k":{"in":[null]},"list":["",[]],"a/b":0,"kept":{"":"","-":[],"constructor":{}}}`

// bare are states that are no object, or hold nothing: what a truth test takes for absent, too.
var bare = []string{`null`, `false`, `0`, `""`, `[]`, `{}`, `[{"k":1}]`, `"text"`, `-1.5e3`, `true`}

// begins gives a stream the state that it begins with, if the server takes one; the last one that is given before there are
// chunks counts, also after a reset, which leaves it as it is: helix.snapshot.exact.
func (p changes) begins(s *stream) error {
	states := []string{initialState}
	if p.states++; p.states%2 == 0 {
		states = []string{`{"k":1,"before":{"in":[]}}`, initialState}
	}
	if n := p.states + len(p.program.Operations); n%3 > 0 {
		states = append([]string{bare[n%len(bare)]}, states...)
		if err := p.inspections.snapshot(s); err != nil { // and what is given next isn't in it
			return err
		}
	}
	if s.Written() > 0 { // another than before
		states = append(states, `{"k":{"in":[1]},"list":[],"since":null}`)
	}
	for i, text := range states {
		accepted, err := p.give(s, text)
		if err != nil || !accepted {
			return err
		}
		var state any
		if err := json.Unmarshal([]byte(text), &state); err != nil {
			return err
		}
		s.Begin(state)
		if i > 0 {
			continue
		}
		if err := p.inspections.snapshot(s); err != nil {
			return err
		}
	}
	return nil
}

// given sets the state that the run of a new stream begins with, if the server takes it. A server may know no stream before
// somebody writes to it: a writer makes it then, and writes nothing.
func (p changes) given(s *stream, state string) error {
	if state == "" || s.made {
		return nil
	}
	p.session.Owns(s.id)
	accepted, err := p.give(s, state)
	if err == nil && !accepted {
		if _, err = p.calls.open(s, 1, false); err == nil {
			_, _, err = p.calls.call(s, "helix.lifecycle.writer-close", "DELETE", "/writers/"+target.EscapeSegment(s.writers[1]), nil)
		}
		clear(s.writers)
		if _, missing := target.IsUnavailable(err); missing {
			return nil
		}
		if err == nil {
			accepted, err = p.give(s, state)
		}
	}
	if accepted {
		s.initialState = state
	}
	return err
}

// give sets the state of a stream that holds no chunks, and says whether the server has taken it.
func (p changes) give(s *stream, state string) (accepted bool, err error) {
	if !p.target.Claims("snapshot") {
		return false, nil
	}
	_, accepted, err = p.calls.call(s, "helix.snapshot.exact", "PUT", "/state", []byte(state))
	if _, missing := target.IsUnavailable(err); missing {
		return false, nil
	}
	if accepted {
		p.session.Given(s.id, []byte(state))
	}
	return accepted, err
}
