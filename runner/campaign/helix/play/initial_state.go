package play

import (
	"encoding/json"

	"github.com/streamcert/streamcert/runner/target"
)

// initialState is an initial state of streams that writers write. Patches change some of its members.
const initialState = `{"k":{"in":[null]},"list":["",[]],"a/b":0,"kept":{"":"","-":[],"constructor":{}}}`

// bare lists states that aren't an object, or are falsy or empty.
var bare = []string{`null`, `false`, `0`, `""`, `[]`, `{}`, `[{"k":1}]`, `"text"`, `-1.5e3`, `true`}

// begins sets the initial state of a stream, if the server offers that. The last call before the first chunk counts,
// also after a reset, which keeps the state: helix.snapshot.exact.
func (p changes) begins(s *stream) error {
	states := []string{initialState}
	if p.states++; p.states%2 == 0 {
		states = []string{`{"k":1,"before":{"in":[]}}`, initialState}
	}
	if n := p.states + len(p.program.Operations); n%3 > 0 {
		states = append([]string{bare[n%len(bare)]}, states...)
		if err := p.inspections.snapshot(s); err != nil { // has none of the next state
			return err
		}
	}
	if s.Written() > 0 { // another state than before
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

// given sets the initial state of a new stream that a run will write, if the server offers that. A server may know no
// stream without a writer: then it opens and closes one.
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

// give sets the state of a stream without chunks and reports whether the server has accepted it.
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
